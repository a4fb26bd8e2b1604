/** The editor of the document. Loaded when it is shown: it is the largest part of the page. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view'

const mark = StateEffect.define<[start: number, end: number]>()

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (value, transaction) => {
    let current = value.map(transaction.changes)
    for (const effect of transaction.effects)
      if (effect.is(mark)) current = Decoration.set([Decoration.mark({ class: 'marked' }).range(...effect.value)])
    return current
  },
  provide: (field) => EditorView.decorations.from(field),
})

export interface Editor {
  /** Marks a range and scrolls to it. */
  show(start: number, end: number): void
  destroy(): void
}

export interface EditorEvents {
  onChange(text: string): void
  onCursor(position: number): void
}

/** Creates an editor. A change is reported once the person pauses, so that large documents are not copied for each key. */
export function createEditor(parent: HTMLElement, doc: string, { onChange, onCursor }: EditorEvents): Editor {
  let pause: ReturnType<typeof setTimeout> | undefined
  const listener = EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
    if (selectionSet) onCursor(state.selection.main.head)
    if (!docChanged) return
    clearTimeout(pause)
    pause = setTimeout(() => onChange(state.doc.toString()), 150)
  })
  const label = EditorView.contentAttributes.of({ 'aria-label': 'Markdown' })
  const keys = keymap.of([...defaultKeymap, ...historyKeymap])
  const extensions = [lineNumbers(), history(), keys, EditorView.lineWrapping, marks, label, listener]
  const view = new EditorView({ parent, doc, extensions })
  return {
    show: (start, end) => {
      const to = Math.min(end, view.state.doc.length)
      if (start >= to) return
      view.dispatch({ effects: [mark.of([start, to]), EditorView.scrollIntoView(start, { y: 'center' })] })
    },
    destroy: () => view.destroy(),
  }
}
