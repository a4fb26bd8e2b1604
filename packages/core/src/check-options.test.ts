import { describe, expect, it } from 'vitest'
import { issuesOf } from '../../../tools/thrown.ts'
import { checkNames, unknownName } from './check-options.ts'
import {
  callback,
  callbackManager,
  callOptions,
  checkGiven,
  checkOption,
  checkOptions,
  choice,
  dict,
  flag,
  group,
  having,
  list,
  listOf,
  milliseconds,
  numberFrom,
  required,
  text,
  unchecked,
  wholeNumber,
} from './options.ts'

const table = {
  llm: required('a model', 'metadata'),
  maxRows: wholeNumber(1, 'or null'),
  workers: wholeNumber(1, 'or infinity'),
  share: numberFrom(0, 1),
  weight: numberFrom(0),
  waitMs: milliseconds(1, 'or null'),
  delayMs: milliseconds(),
  lifeMs: milliseconds(1, 'or infinity'),
  strict: flag,
  onRow: callback,
  title: text,
  heading: 'title',
  rows: list,
  mode: choice('read', 'write'),
  store: having('a store', 'get', 'put'),
  limits: group({ maxTokens: wholeNumber(0) }),
  names: dict,
  callbackManager,
  more: unchecked,
  ...callOptions,
}
const llm = { metadata: {} }
const found = (options: unknown) => issuesOf(() => checkOptions('readTable', options, table))

describe('checkOptions', () => {
  it('accepts valid options, and undefined for absent ones', () => {
    const store = { get() {}, put() {} }
    checkOptions('readTable', { llm, maxRows: null, workers: Number.POSITIVE_INFINITY, waitMs: null, store }, table)
    checkOptions('readTable', { llm, maxRows: undefined, other: undefined, limits: null, more: 5 }, table)
    checkOptions(
      'readTable',
      { llm, share: 1, weight: 1e9, waitMs: 1e12, lifeMs: Number.POSITIVE_INFINITY, mode: 'read' },
      table,
    )
  })

  it('accepts the bounds themselves', () => {
    const least = { maxRows: 1, workers: 1, share: 0, weight: 0, waitMs: 1, delayMs: 0, limits: { maxTokens: 0 } }
    checkOptions('readTable', { llm, ...least }, table)
    const most = { maxRows: Number.MAX_SAFE_INTEGER, share: 1, weight: Number.MAX_VALUE, delayMs: 2 ** 31 - 1 }
    checkOptions('readTable', { llm, ...most }, table)
  })

  it.each<[object, string, string]>([
    [{ waitMs: 0.9 }, 'waitMs', 'expected a number of milliseconds of at least 1 or null, received 0.9'],
    [{ delayMs: -1 }, 'delayMs', 'expected a number of milliseconds from 0 to 2147483647, received -1'],
    [{ delayMs: null }, 'delayMs', 'expected a number of milliseconds from 0 to 2147483647, received null'],
    [
      { delayMs: Number.POSITIVE_INFINITY },
      'delayMs',
      'expected a number of milliseconds from 0 to 2147483647, received Infinity',
    ],
    [{ delayMs: 2 ** 31 }, 'delayMs', 'expected a number of milliseconds from 0 to 2147483647, received 2147483648'],
    [{ names: [] }, 'names', 'expected an object, received an array'],
    [{ names: 'a' }, 'names', 'expected an object, received a string'],
    [{ callbackManager: {} }, 'callbackManager', 'expected a callback manager, received an object'],
    [{ lifeMs: null }, 'lifeMs', 'expected a number of milliseconds of at least 1 or infinity, received null'],
    [{ share: -0.1 }, 'share', 'expected a number from 0 to 1, received -0.1'],
    [{ maxRows: 0 }, 'maxRows', 'expected an integer of at least 1 or null, received 0'],
    [{ workers: 1.5 }, 'workers', 'expected an integer of at least 1 or infinity, received 1.5'],
    [{ share: 1.1 }, 'share', 'expected a number from 0 to 1, received 1.1'],
    [{ weight: Number.POSITIVE_INFINITY }, 'weight', 'expected a finite number of at least 0, received Infinity'],
    [{ waitMs: '5' }, 'waitMs', 'expected a number of milliseconds of at least 1 or null, received a string'],
    [{ strict: 1 }, 'strict', 'expected a boolean, received 1'],
    [{ onRow: {} }, 'onRow', 'expected a function, received an object'],
    [{ title: 5 }, 'title', 'expected a string, received 5'],
    [{ rows: {} }, 'rows', 'expected an array, received an object'],
    [{ rows: ['a', null] }, 'rows[1]', 'expected an item, received null'],
    [{ rows: ['a', undefined] }, 'rows[1]', 'expected an item, received undefined'],
    [{ rows: ['a', false] }, 'rows[1]', 'expected an item, received false'],
    [{ mode: 'both' }, 'mode', 'expected "read" or "write", received "both"'],
    [{ store: { get() {} } }, 'store', 'expected a store, received an object'],
    [{ limits: { maxToken: 1 } }, 'limits.maxToken', 'unknown option; did you mean maxTokens?'],
    [{ signal: 'x' }, 'signal', 'expected an AbortSignal, received a string'],
    [{ parentId: 5 }, 'parentId', 'expected a string, received 5'],
    [{ limits: 5 }, 'limits', 'expected an object of options (maxTokens), received 5'],
    [{ maxrow: 5 }, 'maxrow', 'unknown option; did you mean maxRows?'],
    [{ elsewhere: 5 }, 'elsewhere', 'unknown option'],
    [{ heading: 5 }, 'heading', 'unknown option; did you mean title?'],
    [{ toString: 5 }, 'toString', 'unknown option'],
    [{ maxRows: Number.POSITIVE_INFINITY }, 'maxRows', 'expected an integer of at least 1 or null, received Infinity'],
    [{ workers: null }, 'workers', 'expected an integer of at least 1 or infinity, received null'],
    [{ workers: 2 ** 53 }, 'workers', 'expected an integer of at least 1 or infinity, received 9007199254740992'],
    [
      { limits: { maxTokens: Number.POSITIVE_INFINITY } },
      'limits.maxTokens',
      'expected an integer of at least 0, received Infinity',
    ],
    [{ limits: { maxTokens: '' } }, 'limits.maxTokens', 'expected an integer of at least 0, received a string'],
    [{ store: 'x' }, 'store', 'expected a store, received a string'],
    [{ llm: undefined }, 'llm', 'expected a model, received nothing'],
    [{ llm: null }, 'llm', 'expected a model, received null'],
  ])('refuses %j', (options, path, message) => {
    expect(found({ llm, ...options })).toMatchObject([{ path, message }])
  })

  it('requires what another check accepts, and refuses null', () => {
    const readers = { read: required(callback) }
    checkOptions('readTable', { read: () => null }, readers)
    const refused = [
      [{}, 'expected a function, received nothing'],
      [{ read: null }, 'expected a function, received null'],
      [{ read: 5 }, 'expected a function, received 5'],
    ] as const
    for (const [options, message] of refused)
      expect(issuesOf(() => checkOptions('readTable', options, readers))).toMatchObject([{ path: 'read', message }])
  })

  it('reports every issue at once, under the name of the function', () => {
    expect(found({ share: 2, title: 5 }).map(({ path }) => path)).toEqual(['llm', 'share', 'title'])
    expect(() => checkOptions('readTable', { llm, maxRow: 5 }, table)).toThrow('readTable.maxRow: unknown option')
    for (const options of [null, undefined, 5, [], Promise.resolve({ llm })])
      expect(found(options)).toMatchObject([{ path: '', code: 'type' }])
  })
})

it('checkNames refuses what is no object, and options that are set and have another name', () => {
  checkNames('read', { path: 'a', paths: undefined }, ['path'])
  expect(() => checkNames('read', { path: 'a', paths: 'b' }, ['path'])).toThrow(
    'read.paths: unknown option; did you mean path?',
  )
  for (const given of [null, 'path'])
    expect(() => checkNames('read', given as never, ['path'])).toThrow('read: expected an object of options')
})

it('checkOption refuses a value that is missing', () => {
  checkOption('search', 'limit', 1, wholeNumber(1))
  expect(() => checkOption('search', 'limit', undefined, wholeNumber(1))).toThrow(
    'search.limit: expected an integer of at least 1, received undefined.',
  )
})

it('listOf refuses what is no array, and names an item that is something else', () => {
  const nodes = listOf('a node', 'text')
  checkOption('fuse', 'nodes', [], nodes)
  checkOption('fuse', 'nodes', [{ text: '' }], nodes)
  for (const [value, at] of [
    [undefined, 0],
    [null, 0],
    ['ab', 0],
    [[{ text: '' }, null], 1],
    [[{ text: '' }, {}], 1],
  ] as const)
    expect(() => checkOption('fuse', 'nodes', value, nodes)).toThrow(
      `fuse.nodes: expected an array whose item ${at} is a node, received `,
    )
})

it('checkGiven names the argument that is missing or different', () => {
  checkGiven('search', { query: '', names: ['a'], store: { load: () => null } }, () => undefined)
  checkGiven('search', { store: { load: () => null } }, 'a store', 'load')
  checkGiven('search', { items: [] }, 'an iterable', Symbol.iterator)
  for (const [given, what, names, message] of [
    [{ query: 'a', other: null }, text, [], 'search.other: expected a string, received null.'],
    [{ items: {} }, 'an iterable', [Symbol.iterator], 'search.items: expected an iterable, received an object'],
    [{ store: undefined }, 'a store', ['load'], 'search.store: expected a store, received undefined.'],
    [{ store: 'file' }, 'a store', ['load'], 'search.store: expected a store, received a string.'],
  ] as const)
    expect(() => checkGiven('search', given, what, ...names)).toThrow(message)
})

const agent = [
  'llm',
  'tools',
  'systemPrompt',
  'maxIterations',
  'maxToolConcurrency',
  'outputSchema',
  'apiKey',
  'timeoutMs',
]

describe('unknownName', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['maxIteration', agent, 'maxIterations'],
    ['maxItratoins', agent, 'maxIterations'],
    ['MAXITERATIONS', agent, 'maxIterations'],
    ['max_iterations', agent, 'maxIterations'],
    ['system', agent, 'systemPrompt'],
    ['prompt', agent, 'systemPrompt'],
    ['systemMessage', agent, 'systemPrompt'],
    ['output', agent, 'outputSchema'],
    ['maxSteps', agent, 'maxIterations'],
    ['openAIApiKey', agent, 'apiKey'],
    ['api_key', agent, 'apiKey'],
    ['timeout', agent, 'timeoutMs'],
    ['requestTimeout', agent, 'timeoutMs'],
    ['inputSchema', ['schema', 'outputSchema', 'fn'], 'schema'],
    ['modelName', ['model', 'mode', 'baseUrl'], 'model'],
    ['model', ['modelName', 'baseUrl'], 'modelName'],
    ['baseURL', ['model', 'baseUrl'], 'baseUrl'],
    ['k', ['tokenizer', 'similarityTopK', 'apiKey'], 'similarityTopK'],
    ['topK', ['similarityTopK', 'topN'], 'similarityTopK'],
    ['embeddings', ['embedModel', 'embedBatchSize'], 'embedModel'],
    ['maxIteratons', ['maxIterations', 'max'], 'maxIterations'],
    ['texts', ['maxText'], 'maxText'],
    ['onMaxSteps', ['maxIterations'], undefined],
    ['grape', ['slope'], undefined],
    ['top', ['tokenizer'], undefined],
    ['elsewhere', agent, undefined],
    ['', agent, undefined],
    ['$', agent, undefined],
  ])('finds the option for %s among %j', (name, known, right) => {
    const advice = right ? `; did you mean ${right}?` : ''
    expect(unknownName(name, known)).toEqual({ path: name, message: `unknown option${advice}`, code: 'unknown' })
  })

  it('prefers the option that other libraries call so', () => {
    expect(unknownName('parameters', ['parameter', 'fn'], 'fn').message).toBe('unknown option; did you mean fn?')
  })
})
