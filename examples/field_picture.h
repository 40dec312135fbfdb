/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of real fields side by side: red above 0, blue below, white between. */
#ifndef FIELD_PICTURE_H
#define FIELD_PICTURE_H

/* Whether the program was built with libpng. */
extern const int field_picture_possible;

/* Letters of titles that ASCII lacks. */
#define FIELD_PHI    "@"
#define FIELD_MU     "u"
#define FIELD_LAMBDA "L"
#define FIELD_SQUARE "^"
#define FIELD_FOURTH "~"

/* `fields` has `count` planes of `width` x `height` numbers; `mu2` stands above each, and `title`,
 * of the letters that labels need, above all. The colours have one scale for all planes. 1 if the
 * file was written; otherwise says why not. */
int field_picture_draw(const char *path, const char *title, const float *fields, const double *mu2,
                       int count, int width, int height);

#endif
