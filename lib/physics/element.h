/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Defines the type of a site's component in memory. Arithmetic and static values have LM_REAL_BITS.
 * Components have them, too, unless LM_ELEMENT_BITS says that they are bytes: whole numbers from
 * -128 to 127. Include a vocabulary of reals first.
 */
#ifndef LM_ELEMENT_H
#define LM_ELEMENT_H

#ifndef LM_ELEMENT_BITS
#define LM_ELEMENT_BITS LM_REAL_BITS
#endif

#if LM_ELEMENT_BITS == LM_REAL_BITS
typedef lm_scalar lm_element;
#define lm_element_load       lm_real_load
#define lm_element_store      lm_real_store
#define lm_element_store_some lm_real_store_some
#else
typedef int8_t lm_element;
#define lm_element_load       lm_real_load_bytes
#define lm_element_store      lm_real_store_bytes
#define lm_element_store_some lm_real_store_some_bytes
#endif

#endif
