import { useState } from 'react'
import { Button } from './button.tsx'

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
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      {onStop ? (
        <Button className="icon send" aria-label="Stop" onClick={onStop}>
          ■
        </Button>
      ) : (
        <button type="submit" className="icon send" aria-label="Send" disabled={!text.trim() || isOff}>
          ↑
        </button>
      )}
    </form>
  )
}
