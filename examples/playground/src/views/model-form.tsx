import type { AgentState } from '../state.ts'

interface ModelFormProps {
  agent: AgentState
  change(part: Partial<AgentState>): void
  apiKey: string
  setApiKey(key: string): void
}

/** The question and the model: a script, or a server with the API of OpenAI. */
export function ModelForm({ agent: { question, model, script, tasks }, change, apiKey, setApiKey }: ModelFormProps) {
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
