import { useState } from 'preact/hooks'
import { isTool } from '../address.ts'
import type { AgentState, ToolData } from '../state.ts'

interface ModelFormProps {
  agent: AgentState
  change(part: Partial<AgentState>): void
  apiKey: string
  setApiKey(key: string): void
}

/** The question, the tools and the model: a script, or a server with the API of OpenAI. */
export function ModelForm({
  agent: { question, model, script, tools, tasks },
  change,
  apiKey,
  setApiKey,
}: ModelFormProps) {
  const hasBegun = tasks.some(({ saved }) => saved !== null)
  return (
    <>
      <label class="field">
        <span>Question</span>{' '}
        <input
          disabled={hasBegun}
          value={question}
          onInput={({ currentTarget }) => change({ question: currentTarget.value })}
        />
      </label>
      <ToolsForm tools={tools} disabled={hasBegun} change={(next) => change({ tools: next })} />
      <label class="field">
        <span>Model</span>{' '}
        <select
          value={model.kind}
          onChange={({ currentTarget }) =>
            change({ model: { ...model, kind: currentTarget.value as 'script' | 'server' } })
          }
        >
          <option value="script">a script, without a model</option>
          <option value="server">a server, with your key or local</option>
        </select>
      </label>
      {model.kind === 'script' ? (
        script.map((reply, i) => (
          <label key={i} class="field">
            <span>Reply {i + 1}</span>{' '}
            <textarea
              rows={3}
              value={reply}
              onInput={({ currentTarget }) =>
                change({ script: script.map((old, j) => (j === i ? currentTarget.value : old)) })
              }
            />
          </label>
        ))
      ) : (
        <>
          <label class="field">
            <span>Address</span>{' '}
            <input
              value={model.baseUrl}
              onInput={({ currentTarget }) => change({ model: { ...model, baseUrl: currentTarget.value } })}
            />
          </label>
          <label class="field">
            <span>Model name</span>{' '}
            <input
              value={model.model}
              onInput={({ currentTarget }) => change({ model: { ...model, model: currentTarget.value } })}
            />
          </label>
          <label class="field">
            <span>Key</span>{' '}
            <input
              type="password"
              autocomplete="off"
              value={apiKey}
              onInput={({ currentTarget }) => setApiKey(currentTarget.value)}
            />
          </label>
          <p class="hint">
            The key stays in this page: it is neither stored nor part of the address. The server must allow requests of
            pages (CORS).
          </p>
        </>
      )}
    </>
  )
}

interface ToolsFormProps {
  tools: readonly ToolData[]
  disabled: boolean
  change(tools: ToolData[]): void
}

/** The tools as JSON. */
function ToolsForm({ tools, disabled, change }: ToolsFormProps) {
  const [text, setText] = useState(() => JSON.stringify(tools, null, 2))
  const [problem, setProblem] = useState('')
  const read = (next: string) => {
    setText(next)
    try {
      const data: unknown = JSON.parse(next)
      const isRight = Array.isArray(data) && data.every(isTool)
      setProblem(isRight ? '' : 'Each tool has a name, a description, a schema, needsApproval and a result.')
      if (isRight) change(data)
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <details>
      <summary>Tools: {tools.map(({ name }) => name).join(', ') || 'none'}</summary>
      <p class="hint">In a result, {'{name}'} is the value of an argument.</p>
      <textarea
        aria-label="Tools"
        rows={12}
        disabled={disabled}
        value={text}
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
      {problem && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
    </details>
  )
}
