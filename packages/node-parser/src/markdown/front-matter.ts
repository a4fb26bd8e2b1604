/**
 * @module
 * Front matter: a block at the top of a document that is not parsed as Markdown. YAML between two `---` lines, or ended by `...`; TOML
 * between two `+++` lines; JSON between `{` and `}`, each alone on its line.
 */

import { lazy } from '@x/core/values'

/** The lines that begin and end front matter, and its lines with a key. */
interface Form {
  open: RegExp
  close: RegExp
  key: () => RegExp
}

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_ \t.-]*`
const forms: Readonly<Record<string, Form>> = {
  '-': {
    open: /^---[ \t]*$/,
    close: /^(?:---|\.\.\.)[ \t]*$/,
    key: lazy(() => new RegExp(String.raw`^(?:${NAME}|"${NAME}"|'${NAME}'):(?:[ \t]|$)`, 'u')),
  },
  '+': {
    open: /^\+\+\+[ \t]*$/,
    close: /^\+\+\+[ \t]*$/,
    key: lazy(() => new RegExp(`^(?:${NAME}|"${NAME}"|'${NAME}')=`, 'u')),
  },
  '{': { open: /^\{[ \t]*$/, close: /^\}[ \t]*$/, key: () => /^[ \t]*"[^"\\]{1,200}"[ \t]*:/ },
}

/** Returns the offset after a byte-order mark and front matter. A block without an end or without a key is not front matter. */
export function markdownStart(text: string): number {
  return new FrontMatter().read(text, true) as number
}

/** Finds front matter in a string that grows. */
export class FrontMatter {
  private at = -1
  private hasKey = false
  private form = forms['-'] as Form

  /** Returns the offset at which Markdown begins, or null if more text is needed to decide. */
  read(text: string, complete: boolean): number | null {
    const top = text.charCodeAt(0) === 0xfeff ? 1 : 0
    if (this.at < 0) {
      // Fast path: for nearly every document, the first characters are enough to decide.
      const form = forms[text[top] as string]
      if (text.length > top && form === undefined) return top
      if (form !== undefined) this.form = form
      const first = lineAt(text, top, complete)
      if (first === null) return null
      if (form === undefined || !form.open.test(first.line)) return top
      this.at = first.next
      const second = lineAt(text, this.at, complete)
      if (second === null) {
        this.at = -1
        return null
      }
      if (second.line.trim() === '') return top
      if (form === forms['-'] && form.open.test(second.line)) return second.next
    }
    for (;;) {
      const found = lineAt(text, this.at, complete)
      if (found === null) return null
      if (this.at >= text.length) return top
      if (this.form.close.test(found.line)) return this.hasKey ? found.next : top
      this.hasKey ||= this.form.key().test(found.line)
      this.at = found.next
    }
  }
}

/** Returns the source of front matter: what is between its two lines, and JSON with its braces. */
export function frontMatterSource(block: string): string {
  const trimmed = block.replace(/^\ufeff/, '').trim()
  if (trimmed.startsWith('{')) return trimmed
  const [first] = /^[^\r\n]*(?:\r\n|\r|\n|$)/.exec(trimmed) as RegExpExecArray
  const end = Math.max(trimmed.lastIndexOf('\n'), trimmed.lastIndexOf('\r')) + 1
  return trimmed.slice(first.length, Math.max(first.length, end))
}

/** Returns the line at `start` and the start of the next line; null while the line may grow. */
function lineAt(text: string, start: number, complete: boolean): { line: string; next: number } | null {
  let end = start
  while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++
  // A carriage return at the end may be the first half of a line ending.
  if (!complete && (end === text.length || (text.charCodeAt(end) === 13 && end + 1 === text.length))) return null
  return { line: text.slice(start, end), next: Math.min(text.length, end + (text.startsWith('\r\n', end) ? 2 : 1)) }
}
