/**
 * @module
 * Servers that report errors in their own ways, or not at all.
 */
import { answer, answering, chunk, DONE, event, type OddServer, sending, streaming } from './odd-server.ts'

const half = chunk({ content: 'Hal' })
const choiceError = { error: { code: 502, message: 'upstream failed' } }
const passing = { error: 'overloaded', retryable: true } as const

export const errorServers: readonly OddServer[] = [
  streaming(
    'reports an error beside no choices',
    'diegosouzapw/OmniRoute#8210',
    [{ ...chunk({}), choices: [], error: { code: 502, message: 'provider busy' } }],
    { ...passing, says: 'provider busy' },
  ),
  streaming(
    'reports an error beside the reason error',
    'diegosouzapw/OmniRoute#8210',
    [half, { ...chunk({ content: '' }, 'error'), error: { code: 'server_error', message: 'gone' } }],
    { ...passing, says: 'gone' },
  ),
  streaming('ends with the reason error', 'OpenRouter', [half, chunk({ content: '' }, 'error')], passing),
  streaming('ends because it has no capacity', 'DeepSeek', [half, chunk({}, 'insufficient_system_resource')], passing),
  streaming('ends because its network failed', 'Zhipu', [half, chunk({}, 'network_error')], passing),
  streaming(
    'reports an error in the choice',
    'OpenRouter',
    [half, chunk({ content: '' }, 'error', choiceError)],
    passing,
  ),
  streaming('reports an error as a string', 'Ollama', [half, { error: 'model runner stopped' }], {
    ...passing,
    says: 'model runner stopped',
  }),
  streaming(
    'reports a rate limit in the stream',
    'Groq',
    [{ error: { message: 'slow down', type: 'tokens', code: 'rate_limit_exceeded' } }],
    { error: 'rate_limit', says: 'slow down', retryable: true },
  ),
  sending('names an event error', 'LM Studio', [event(half), 'event: error\ndata: {"message":"Model unloaded"}\n\n'], {
    error: ['overloaded', 'bad_response', 'connection'],
    says: 'Model unloaded',
  }),
  sending(
    'writes an error in a line of its own',
    'llama.cpp',
    [event(half), 'error: {"code":500,"message":"context shift disabled","type":"server_error"}\n\n'],
    { error: ['overloaded', 'connection'], retryable: true },
  ),
  sending('ends the connection behind text', 'vercel/ai#19165', [event(half)], {
    error: 'connection',
    retryable: true,
  }),
  sending(
    'resets the connection behind text',
    'vercel/ai#19165',
    [event(half)],
    { error: 'connection', retryable: true },
    { end: 'reset' },
  ),
  sending(
    'ends the connection in the middle of an event',
    'a gateway',
    [event(half), 'data: {"id":"c1","choices":[{"ind'],
    { error: ['connection', 'bad_response'] },
  ),
  sending('ends a stream before its first event', 'a gateway', [''], { error: ['connection', 'bad_response'] }),
  sending('stops to send', 'a gateway', [event(half)], { error: 'timeout', retryable: true }, { end: 'never' }),
  sending('sends what is not JSON', 'a gateway', [event(half), 'data: {oops\n\n', DONE], {
    error: ['bad_response', 'overloaded', 'connection'],
  }),
  answering(
    'answers with an error and the status 200',
    'OpenRouter',
    { error: { message: 'no credits', code: 'insufficient_quota' } },
    { error: 'rate_limit', says: 'no credits', retryable: false },
  ),
  answering('answers with choices null', 'OpenRouter', { id: 'c1', choices: null }, { error: 'bad_response' }),
  answering(
    'answers with no choices',
    'vLLM',
    { id: 'c1', object: 'chat.completion', created: 1, model: 'm', choices: [] },
    { error: 'bad_response' },
  ),
  answering(
    'reports an error in the choice of a whole answer',
    'OpenRouter',
    {
      ...answer(null),
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hal' }, finish_reason: 'error', ...choiceError }],
    },
    passing,
  ),
  answering('answers with a page of its gateway', 'a gateway', '<html><h1>502 Bad Gateway</h1></html>', passing, {
    status: 502,
    type: 'text/html',
  }),
  answering(
    'reports errors as an array',
    'Gemini, compatible endpoint',
    [{ error: { code: 400, message: 'Invalid JSON payload', status: 'INVALID_ARGUMENT' } }],
    { error: 'bad_request', says: 'Invalid JSON payload', retryable: false },
    { status: 400 },
  ),
  answering(
    'reports errors as a detail',
    'FastAPI',
    { detail: [{ loc: ['body', 'tools'], msg: 'field required' }] },
    { error: 'bad_request', says: 'field required', retryable: false },
    { status: 422 },
  ),
  answering(
    'reports errors as a list beside its success',
    'Cloudflare',
    { result: null, success: false, errors: [{ code: 7009, message: 'No such model' }], messages: [] },
    { error: 'bad_request', says: 'No such model', retryable: false },
    { status: 400 },
  ),
  answering(
    'reports errors as a string',
    'Ollama',
    { error: 'model "m" not found' },
    { error: 'bad_request', says: 'not found', retryable: false },
    { status: 404 },
  ),
  answering(
    'says how long to wait',
    'OpenAI',
    { error: { message: 'slow down' } },
    { error: 'rate_limit', retryable: true },
    { status: 429, headers: { 'retry-after': '2' } },
  ),
  answering(
    'reports that a request is too long',
    'OpenAI',
    { error: { message: 'too long', code: 'context_length_exceeded' } },
    { error: 'context_length', retryable: false },
    { status: 400 },
  ),
  answering(
    'repeats the key',
    'OpenAI',
    { error: { message: 'Incorrect API key: KEY', code: 'invalid_api_key' } },
    { error: 'auth', retryable: false },
    { status: 401, headers: { 'x-key': 'KEY' } },
  ),
]
