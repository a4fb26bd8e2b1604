/**
 * @module
 * The codes of characters that are significant at the start of a line.
 */
export const TAB = 9
export const SPACE = 32
export const HASH = 35
export const CLOSE_PAREN = 41
export const STAR = 42
export const PLUS = 43
export const DASH = 45
export const DOT = 46
export const ZERO = 48
export const ONE = 49
export const NINE = 57
export const COLON = 58
export const LESS = 60
export const EQUALS = 61
export const GREATER = 62
export const OPEN_BRACKET = 91
export const UNDERSCORE = 95
export const BACKTICK = 96
export const PIPE = 124
export const TILDE = 126
