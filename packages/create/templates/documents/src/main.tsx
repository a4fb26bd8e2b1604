import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { Piece, Source } from '../server/answer.ts'
import { Button } from './button.tsx'
import { Composer } from './composer.tsx'
import './style.css'
import './documents.css'
import { Text } from './text.tsx'

const examples = ['How long do pears keep?', 'What does delivery cost?', 'Can I get a refund?']

interface Answered {
  question: string
  text: string
  sources: Source[]
  error: string
}

function App() {
  const [answers, setAnswers] = useState<Answered[]>([])
  const [running, setRunning] = useState<AbortController>()
  const ask = async (question: string) => {
    const controller = new AbortController()
    setRunning(controller)
    let shown: Answered = { question, text: '', sources: [], error: '' }
    const show = (more: Partial<Answered>) => {
      shown = { ...shown, ...more }
      setAnswers([...answers, shown])
    }
    show({})
    try {
      for await (const piece of piecesOf(question, controller.signal))
        show('text' in piece ? { text: shown.text + piece.text } : piece)
    } catch (error) {
      if (!controller.signal.aborted) show({ error: (error as Error).message })
    }
    setRunning(undefined)
  }
  return (
    <div className="page">
      <header>
        <span className="mark" aria-hidden="true" />
        <h1>Ask the documents</h1>
      </header>
      <main aria-live="polite">
        {answers.length === 0 && (
          <section className="empty">
            <h2>What do you want to know?</h2>
            <p>I answer from the files in docs, and name file and line. What is not there, I do not know.</p>
            {examples.map((text) => (
              <Button key={text} onClick={() => void ask(text)}>
                {text}
              </Button>
            ))}
          </section>
        )}
        {answers.map((answer, index) => (
          <Answer
            key={`${index}-${answer.question}`}
            {...answer}
            isRunning={running !== undefined && index === answers.length - 1}
          />
        ))}
      </main>
      <footer>
        <Composer
          label="Question"
          placeholder="Ask a question"
          onSend={(text) => void ask(text)}
          onStop={running && (() => running.abort())}
        />
        <p className="hint">Each citation is checked: the passage exists, and the model has read it.</p>
      </footer>
    </div>
  )
}

function Answer({ question, text, sources, error, isRunning }: Answered & { isRunning: boolean }) {
  return (
    <article>
      <h2>{question}</h2>
      {text ? <Text text={text} /> : isRunning && <p className="thinking">Searching</p>}
      {error && <p className="error">{error}</p>}
      {sources.map(({ number, place, passage, problem }, index) => (
        <details key={number} open={index === 0} className={problem ? 'source wrong' : 'source'}>
          <summary>
            <b>[{number}]</b> <code>{place}</code> {problem}
          </summary>
          <Text text={passage} />
        </details>
      ))}
    </article>
  )
}

/** The lines of the answer, as they come. */
async function* piecesOf(question: string, signal: AbortSignal): AsyncGenerator<Piece> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('/api/ask', { method: 'POST', headers, body: JSON.stringify({ question }), signal })
  if (!response.ok || !response.body) throw new Error(`The server answered ${response.status}.`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

createRoot(document.getElementById('root')!).render(<App />)
