import type { AgentEvent, PendingToolCall } from '@x/agents'
import { useEffect, useState } from 'preact/hooks'
import { type Action, act, forked, type TaskView } from '../agent.ts'
import type { AgentState } from '../state.ts'
import { type Failure, failureOf } from '../work.ts'
import type { ViewProps } from './common.tsx'
import { Problem } from './common.tsx'
import { ModelForm } from './model-form.tsx'

/** A task of an agent, step by step: approve, edit, undo, fork, and reload the page in between. */
export function AgentView({ state: { agent }, update }: ViewProps) {
  const task = agent.tasks[agent.selected]!
  const [view, setView] = useState<TaskView | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [events, setEvents] = useState<AgentEvent[]>([])
  const [apiKey, setApiKey] = useState('')
  const [isBusy, setBusy] = useState(false)
  const change = (part: Partial<AgentState>) => update({ agent: { ...agent, ...part } })

  /** Does something with the task, and returns it; undefined after a failure. */
  const perform = async (action?: Action, from = task) => {
    setBusy(true)
    try {
      const next = await act(agent, from, apiKey, action, (event) => setEvents((before) => [...before, event]))
      setView(next)
      setFailure(null)
      const after = { ...from, saved: next.saved }
      if (action) change({ tasks: agent.tasks.map((one, i) => (i === agent.selected ? after : one)) })
      return after
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  const fork = async () => {
    const name = `task ${agent.tasks.length + 1}`
    const saved = await forked(agent, task)
    change({ tasks: [...agent.tasks, { name, saved }], selected: agent.tasks.length })
  }
  const begin = () => {
    setEvents([])
    change({ tasks: [{ name: 'task 1', saved: null }], selected: 0 })
  }
  /** The first run, up to the call that waits. */
  const fill = async () => {
    const after = await perform({ do: 'step' })
    if (after) await perform({ do: 'step' }, after)
  }
  // The task that the address contains is shown at once; one that an action changed is shown by it. Without an address there is a run to
  // look at.
  useEffect(
    () => void (location.hash === '' && task.saved === null ? fill() : perform()),
    [agent.selected, task.saved === null],
  )
  const isOver = view?.answer !== null
  return (
    <>
      <section aria-label="Task">
        <h2>Agent</h2>
        <ModelForm agent={agent} change={change} apiKey={apiKey} setApiKey={setApiKey} />
        <div class="row">
          <button
            type="button"
            disabled={isBusy || isOver || !!view?.waiting.length}
            onClick={() => perform({ do: 'step' })}
          >
            Step
          </button>
          <button type="button" disabled={isBusy || !view?.steps.length} onClick={() => perform({ do: 'undo' })}>
            Undo
          </button>
          <button type="button" disabled={isBusy || task.saved === null} onClick={fork}>
            Fork
          </button>
          <button type="button" disabled={isBusy} onClick={begin}>
            New task
          </button>
          {agent.tasks.map(({ name }, i) => (
            <button
              key={name}
              type="button"
              aria-pressed={i === agent.selected}
              onClick={() => change({ selected: i })}
            >
              {name}
            </button>
          ))}
        </div>
        <Problem failure={failure} />
        {view?.waiting.map((call) => (
          <Waiting key={call.id} call={call} perform={perform} report={setFailure} />
        ))}
        <ol id="steps">
          {view?.steps.map((text, i) => (
            <li key={i}>
              <pre>{text}</pre>
            </li>
          ))}
        </ol>
        {view?.answer != null && (
          <p role="status" id="answer">
            Answer: {view.answer}
          </p>
        )}
      </section>
      <section aria-label="Events and saved task">
        <h2>Events</h2>
        <ol class="events">
          {events.map((event, i) => (
            <li key={i}>
              <code>{event.type}</code> <span class="hint">{detailOf(event)}</span>
            </li>
          ))}
        </ol>
        <h2>Saved task</h2>
        <p class="hint">After each action the task is this JSON, and nothing else: reload the page and continue.</p>
        <SavedTask saved={view?.saved} />
      </section>
    </>
  )
}

interface WaitingProps {
  call: PendingToolCall
  perform(action: Action): Promise<unknown>
  report(failure: Failure): void
}

/** A call that waits: approve it, with other arguments or as it is, or reject it. */
function Waiting({ call, perform, report }: WaitingProps) {
  const given = JSON.stringify(call.arguments, null, 2)
  const [text, setText] = useState(given)
  const approve = async () => {
    if (text === given) return void perform({ do: 'approve', callId: call.id })
    try {
      await perform({ do: 'edit', callId: call.id, args: JSON.parse(text) })
    } catch (error) {
      report(failureOf(error))
    }
  }
  return (
    <div class="card" role="alert">
      <strong>{call.name}</strong> waits for approval
      <textarea
        aria-label="Arguments"
        rows={4}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="row">
        <button type="button" onClick={approve}>
          {text === given ? 'Approve' : 'Approve as edited'}
        </button>
        <button type="button" onClick={() => perform({ do: 'reject', callId: call.id, reason: 'Not now.' })}>
          Reject
        </button>
      </div>
    </div>
  )
}

function SavedTask({ saved }: { saved: unknown }) {
  if (saved == null) return <p class="hint">Nothing yet.</p>
  const text = JSON.stringify(saved, null, 1)
  return (
    <>
      <p class="hint">{JSON.stringify(saved).length} characters</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable. */}
      <pre class="saved" tabIndex={0}>
        {text}
      </pre>
    </>
  )
}

/** Returns what an event says in addition to its type. */
function detailOf({ type, taskId, stepId, ...rest }: AgentEvent & { stepId?: string }): string {
  const text = JSON.stringify(rest)
  if (text === '{}') return ''
  return text.length > 160 ? `${text.slice(0, 160)} …` : text
}
