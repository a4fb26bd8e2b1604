import { useState } from 'react'

interface ComposerProps {
  label: string
  initial?: string
  placeholder?: string
  isOff?: boolean | undefined
  onSend: (text: string) => void
  /** While an answer is written, the button stops it. */
  onStop?: (() => void) | undefined
  onCancel?: () => void
}

/** A field that grows. Enter sends, Shift+Enter begins a line, Escape cancels. */
export function Composer({ label, initial = '', placeholder = '', isOff, onSend, onStop, onCancel }: ComposerProps) {
  const [text, setText] = useState(initial)
  const submit = () => {
    if (!text.trim() || onStop || isOff) return
    onSend(text.trim())
    setText('')
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') onCancel?.()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  return (
    <form className="composer" action={submit}>
      <textarea
        aria-label={label}
        placeholder={placeholder}
        rows={1}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the page is for writing
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {onCancel && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
      {onStop ? (
        <button type="button" className="icon send" aria-label="Stop" onClick={onStop}>
          ■
        </button>
      ) : (
        <button type="submit" className="icon send" aria-label="Send" disabled={!text.trim() || isOff}>
          ↑
        </button>
      )}
    </form>
  )
}
