/**
 * The state of the page in its address: the parts that differ from the first state, as compressed JSON. A link shows the same page to
 * someone else; nothing is sent to a server.
 */
import { initial, type State, type ToolData, tabs } from './state.ts'

/** The most characters of an address: some programs cut longer links. */
const MAX_ADDRESS = 16_000

/** Returns the fragment of the address; null if the state is too large for one. */
export async function toAddress(state: State): Promise<string | null> {
  const different = Object.entries(state).filter(
    ([name, value]) => name !== 'tab' && JSON.stringify(value) !== JSON.stringify(initial[name as keyof State]),
  )
  if (different.length === 0) return `#${state.tab}`
  const json = JSON.stringify(Object.fromEntries(different))
  // Compressing a large document would keep the page busy for an address that is too long anyway.
  if (json.length > 20 * MAX_ADDRESS) return null
  const bytes = await piped(new Blob([json]), new CompressionStream('deflate-raw'))
  const address = `#${state.tab}/${base64Url(bytes)}`
  return address.length > MAX_ADDRESS ? null : address
}

/** Returns the state of a fragment. Anything else than an address of this page is the first state. */
export async function fromAddress(fragment: string): Promise<State> {
  const [name = '', packed = ''] = fragment.replace(/^#/, '').split('/')
  const tab = tabs.find((known) => known === name) ?? initial.tab
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    const json = new TextDecoder().decode(
      await piped(new Blob([bytes]), new DecompressionStream('deflate-raw'), 5_000_000),
    )
    return { ...initial, ...known(JSON.parse(json)), tab }
  } catch {
    return { ...initial, tab }
  }
}

/** Returns the parts of the state that are right: an address comes from a stranger. */
function known(data: unknown): Partial<State> {
  if (!isRecord(data)) return {}
  return Object.fromEntries(
    Object.entries(checks).flatMap(([name, isRight]) => (isRight(data[name]) ? [[name, data[name]]] : [])),
  )
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
/** Whether a value is the data of a tool. */
export const isTool = (value: unknown): value is ToolData =>
  isRecord(value) &&
  [value['name'], value['description'], value['result']].every(isText) &&
  isRecord(value['schema']) &&
  typeof value['needsApproval'] === 'boolean'
const isAgent: Check = (value) => {
  if (!isRecord(value) || !isRecord(value['model'])) return false
  const { question, model, script, tools, tasks, selected } = value
  const isTask: Check = (task) => isRecord(task) && isText(task['name'])
  return (
    isText(question) &&
    ['script', 'server'].includes(String(model['kind'])) &&
    [model['baseUrl'], model['model']].every(isText) &&
    isListOf(isText)(script) &&
    isListOf(isTool)(tools) &&
    isListOf(isTask)(tasks) &&
    Number.isInteger(selected) &&
    (tasks as unknown[])[selected as number] !== undefined
  )
}

const checks: Readonly<Record<Exclude<keyof State, 'tab'>, Check>> = {
  markdown: isText,
  passages: isText,
  query: isText,
  chain: isListOf((step) => isRecord(step) && isText(step['name']) && isRecord(step['fields'])),
  template: isText,
  variables: (value) => isRecord(value) && Object.values(value).every(isText),
  agent: isAgent,
  python: isText,
  testSet: isText,
}

/** @throws if the result has more bytes than `most`. */
async function piped(
  blob: Blob,
  transform: CompressionStream | DecompressionStream,
  most = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: BlobPart[] = []
  let size = 0
  const reader = blob.stream().pipeThrough(transform).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length
    if (size > most) throw new RangeError('the address contains too much')
    chunks.push(read.value)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

function base64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
