/** The page: its tabs, its state, and its address. */
import { type ComponentType, render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { fromAddress, toAddress } from './address.ts'
import { call } from './calls.ts'
import { programOf } from './program.ts'
import { type State, type TabName, tabs } from './state.ts'
import { AgentView } from './views/agent-view.tsx'
import type { ViewProps } from './views/common.tsx'
import { EvaluateView } from './views/evaluate-view.tsx'
import { MarkdownView } from './views/markdown-view.tsx'
import { PromptView } from './views/prompt-view.tsx'
import { PythonView } from './views/python-view.tsx'
import { SearchView } from './views/search-view.tsx'
import type { Parsed } from './work.ts'

const views: Readonly<Record<TabName, { title: string; view: ComponentType<ViewProps> }>> = {
  markdown: { title: 'Markdown', view: MarkdownView },
  search: { title: 'Search', view: SearchView },
  prompt: { title: 'Prompt', view: PromptView },
  agent: { title: 'Agent', view: AgentView },
  python: { title: 'Python', view: PythonView },
  evaluate: { title: 'Evaluate', view: EvaluateView },
}

function App({ first }: { first: State }) {
  const [state, setState] = useState(first)
  const [parsed, setParsed] = useState<Parsed | null>(null)
  const [note, setNote] = useState('')
  const update = (part: Partial<State>) => setState((before) => ({ ...before, ...part }))
  useEffect(() => {
    let isOld = false
    void call('parse', state.markdown).then((result) => isOld || setParsed(result))
    return () => {
      isOld = true
    }
  }, [state.markdown])
  useAddress(state, setNote)
  const copy = async (text: string, what: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setNote(`${what} copied.`)
    } catch {
      setNote('The browser did not allow to copy.')
    }
  }
  const { view: View } = views[state.tab]
  return (
    <>
      <header>
        <h1>@x playground</h1>
        <TabList selected={state.tab} select={(tab) => update({ tab })} />
        <div class="row">
          <button type="button" onClick={() => copy(programOf(state), 'The program was')}>
            Copy as a program
          </button>
          <button type="button" onClick={() => copy(location.href, 'The link was')}>
            Copy the link
          </button>
          <span class="hint" role="status" id="note">
            {note}
          </span>
        </div>
      </header>
      <main>
        <div role="tabpanel" class="columns" id="panel" aria-labelledby={`tab-${state.tab}`}>
          <View key={state.tab} state={state} update={update} parsed={parsed} />
        </div>
      </main>
    </>
  )
}

/** Keeps the address up to date, a moment after the last change. */
function useAddress(state: State, report: (note: string) => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(async () => {
      const address = await toAddress(state)
      history.replaceState(null, '', address ?? `#${state.tab}`)
      report(address === null ? 'The page is too large for a link: a copied one shows only the tab.' : '')
    }, 200)
  }, [state])
}

/** The tabs, with arrow keys as people expect of tabs. */
function TabList({ selected, select }: { selected: TabName; select(tab: TabName): void }) {
  const move = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    const next = tabs[(tabs.indexOf(selected) + by + tabs.length) % tabs.length]!
    select(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div role="tablist" aria-label="What to try" onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-selected={tab === selected}
          aria-controls="panel"
          tabIndex={tab === selected ? 0 : -1}
          onClick={() => select(tab)}
        >
          {views[tab].title}
        </button>
      ))}
    </div>
  )
}

render(<App first={await fromAddress(location.hash)} />, document.getElementById('app')!)
