/** States of the playground that fail with a code, for the page of errors: what one must change is on the page. */
import { PromptTemplate } from '@x/prompts'
import { toAddress } from '../../examples/playground/src/address.ts'
import { act } from '../../examples/playground/src/agent.ts'
import { readPython } from '../../examples/playground/src/python.ts'
import { type ChainStep, initial, type State } from '../../examples/playground/src/state.ts'
import { failureOf, Work } from '../../examples/playground/src/work.ts'
import { errorCodes, sampleOf } from './errors.ts'
import type { PlaygroundLink } from './playground-links.ts'

const search = (name: string, fields: ChainStep['fields'] = {}): State => ({
  ...initial,
  tab: 'search',
  chain: [{ name, fields }],
})
const python = (data: object): State => ({ ...initial, tab: 'python', python: JSON.stringify(data, null, 2) })
const [price] = initial.agent.tools
const agent = (change: Partial<State['agent']>): State => ({
  ...initial,
  tab: 'agent',
  agent: { ...initial.agent, ...change },
})

/** The states, by the code of their error. */
export const failingStates: Readonly<Record<string, State>> = {
  template_syntax: { ...initial, tab: 'prompt', template: 'Answer as JSON: {"fruit": {fruit}}' },
  test_set: { ...initial, tab: 'evaluate', testSet: '{"question": "Which fruit is green?",}' },
  model_validation: python({ class_name: 'TextNode', text: 5 }),
  missing_metadata: search('FixedRecencyPostprocessor', { dateKey: 'date' }),
  invalid_date: {
    ...search('FixedRecencyPostprocessor', { dateKey: 'date' }),
    passages: '{"id": "a", "text": "Pears are green.", "metadata": {"date": "last week"}}',
  },
  unknown_class_name: python({ class_name: 'MyNode', text: 'Pears are green.' }),
  configuration: agent({ tools: [price!, price!] }),
  tool_schema: agent({ tools: [{ ...price!, schema: { type: 'object', properties: 1 } }] }),
}

/** Returns the links of the samples of these codes. */
export async function failingLinks(): Promise<Map<string, PlaygroundLink>> {
  const codes = errorCodes().filter(({ code }) => code in failingStates)
  const links = codes.map(async (error) => {
    const state = failingStates[error.code]!
    const address = (await toAddress(state)) ?? ''
    return [sampleOf(error), { state, address, selector: '.problem[role=alert]', text: error.code }] as const
  })
  return new Map(await Promise.all(links))
}

/** Returns the code with which the page fails in a state; null if it does not fail. */
export async function failureIn(state: State): Promise<string | null> {
  try {
    if (state.tab === 'prompt') new PromptTemplate({ template: state.template })
    if (state.tab === 'python') readPython(state.python)
    if (state.tab === 'agent') await act(state.agent, state.agent.tasks[0]!, '', { do: 'step' })
    const work = new Work()
    await work.parse(state.markdown)
    if (state.tab === 'search') await work.search(state.query, state.chain, state.passages)
    if (state.tab === 'evaluate') await work.evaluate(state.testSet, [], state.passages)
    return null
  } catch (error) {
    return failureOf(error).code
  }
}
