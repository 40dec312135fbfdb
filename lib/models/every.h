/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the models, in the order in which they are listed. DO(name) stands for each model. Its row
 * is lm_model_NAME in lib/models/NAME.c. A new model is added here. */
#ifndef LM_MODELS_EVERY_H
#define LM_MODELS_EVERY_H

#define LM_EVERY_MODEL(DO)                                                                         \
    DO(ising)                                                                                      \
    DO(automaton)                                                                                  \
    DO(blume_capel)                                                                                \
    DO(clock)                                                                                      \
    DO(onvector)                                                                                   \
    DO(phi4)                                                                                       \
    DO(potts)

#endif
