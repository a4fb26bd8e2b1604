/**
 * @module
 * The pieces of source code by its syntax tree.
 */
import type { PieceEnds } from './chunk-text.ts'

/** A node of a syntax tree, as web-tree-sitter has it. Offsets are in UTF-16 code units. */
export interface SyntaxNode {
  readonly type: string
  readonly startIndex: number
  readonly endIndex: number
  readonly children: readonly (SyntaxNode | null)[]
}

/** Parses source code. The class `Parser` of web-tree-sitter is one, after `setLanguage`. */
export interface SyntaxParser {
  /** Returns the syntax tree of a string, or null. */
  parse(text: string): { readonly rootNode: SyntaxNode; delete?(): void } | null
}

/**
 * Returns a function that finds pieces of code: the largest nodes of its syntax tree that fit. Comments stay with the node that follows,
 * and each piece extends to the end of its line if nothing else is on it.
 */
export function syntaxPieces(parser: SyntaxParser, fits: (part: string) => boolean): PieceEnds {
  return (part) => {
    const tree = parser.parse(part)
    if (tree === null) return []
    const ends = new Set<number>()
    const visit = ({ children }: SyntaxNode) => {
      const nodes = children.filter((child) => child !== null)
      for (const [index, node] of nodes.entries()) {
        const next = nodes[index + 1]
        if (!fits(part.slice(node.startIndex, node.endIndex))) visit(node)
        if (next !== undefined && !isComment(node)) ends.add(lineEndAfter(part, node.endIndex, next.startIndex))
      }
    }
    visit(tree.rootNode)
    tree.delete?.()
    return [...ends].sort((one, other) => one - other)
  }
}

/**
 * Returns where the parts begin that do not fit, such as a large class, and where what follows them begins. Chunks end there, so that no
 * chunk contains the end of a function and the beginning of a class.
 */
export function syntaxBreaks(parser: SyntaxParser, text: string, fits: (part: string) => boolean): Set<number> {
  const breaks = new Set<number>()
  const tree = parser.parse(text)
  if (tree === null) return breaks
  const visit = ({ children }: SyntaxNode) => {
    const nodes = children.filter((child) => child !== null)
    let [wasLine, wasLarge] = [false, false]
    for (const [index, node] of nodes.entries()) {
      const isLarge = !fits(text.slice(node.startIndex, node.endIndex))
      if (isLarge) visit(node)
      // The comments above belong to it.
      let first = index
      while (first > 0 && isComment(nodes[first - 1] as SyntaxNode)) first--
      // The body of a class does not begin a line, or what is before it, such as a brace, does not.
      const isLine = startsLine(text, node.startIndex)
      if (isLine && wasLine && (isLarge || wasLarge)) breaks.add((nodes[first] as SyntaxNode).startIndex)
      if (!isComment(node)) [wasLine, wasLarge] = [isLine, isLarge]
    }
  }
  visit(tree.rootNode)
  tree.delete?.()
  return breaks
}

/** Whether nothing but white space is before an offset on its line. */
function startsLine(text: string, offset: number): boolean {
  let at = offset
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r'
}

const isComment = ({ type }: SyntaxNode): boolean => type.includes('comment')

/** Returns the end of the line that contains `from`, if nothing but white space follows on it; at most `until`. */
function lineEndAfter(text: string, from: number, until: number): number {
  for (let at = from; at < until; at++) {
    if (text[at] === '\n') return at + 1
    if (text[at] !== ' ' && text[at] !== '\t' && text[at] !== '\r') return from
  }
  return from
}
