/** A kind of personal data that has a fixed form, for {@link findPatterns}. */
export interface PatternKind {
  /** The name in the tags: `CARD` for `[CARD_26]`. */
  readonly group: string
  /**
   * Returns the matches of this kind in a string, in any order: offsets in UTF-16 code units, `end` exclusive. They may overlap.
   * @param text - the string as it is read, without escapes, encodings and invisible characters, and with ASCII digits, hyphens, full stops
   * and blanks for their variants. The offsets are those of this string.
   */
  find(text: string): readonly { readonly start: number; readonly end: number }[]
}
