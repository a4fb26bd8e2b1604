/**
 * Counts the tokens of a string, or splits it into them. Encoders such as `encode` of `gpt-tokenizer` can be used directly.
 * Only the number of tokens is used.
 */
export type Tokenizer = (text: string) => number | ArrayLike<unknown>
