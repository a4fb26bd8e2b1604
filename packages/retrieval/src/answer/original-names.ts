/**
 * @module
 * Names for masked data, with which citations are checked.
 */

/**
 * Names that stand for masked data while citations are checked, the same for all tags of an original: a number in the data or in its tag is
 * none of a statement.
 */
export class OriginalNames {
  readonly byTag: Readonly<Record<string, string>>
  private readonly originals = new Map<string, string>()

  constructor(mapping: Readonly<Record<string, unknown>>) {
    const names = new Map<string, string>()
    const nameOf = (original: string) => {
      // A letter between characters that no text contains.
      const name = names.get(original) ?? `\ufdd0${String.fromCodePoint(0x20000 + names.size)}\ufdd1`
      names.set(original, name)
      this.originals.set(name, original)
      return name
    }
    const restorable = ([, original]: [string, unknown]) => typeof original === 'string' || typeof original === 'number'
    const tags = Object.entries(mapping).filter(restorable)
    this.byTag = Object.fromEntries(tags.map(([tag, original]) => [tag, nameOf(String(original))]))
  }

  /** Returns an answer and its passages with names for the originals that the answer contains as such: those of the question. */
  named(texts: readonly string[]): string[] {
    const known = [...this.originals].filter(([, original]) => original.trim() !== '' && texts[0]?.includes(original))
    known.sort(([, one], [, other]) => other.length - one.length)
    return texts.map((text) => known.reduce((all, [name, original]) => replaceWords(all, original, name), text))
  }

  /** Returns a string with the originals instead of their names. */
  restored(text: string): string {
    return text.replace(/\ufdd0.\ufdd1/gu, (name) => this.originals.get(name) ?? name)
  }
}

/** Replaces a string that is not part of a longer word or number. */
function replaceWords(text: string, from: string, to: string): string {
  const parts = text.split(from)
  const isInWord = (at: number) => /[\p{L}\p{N}]$/u.test(parts[at - 1]!.slice(-2)) || /^[\p{L}\p{N}]/u.test(parts[at]!)
  return parts.map((part, at) => (at === 0 ? part : `${isInWord(at) ? from : to}${part}`)).join('')
}
