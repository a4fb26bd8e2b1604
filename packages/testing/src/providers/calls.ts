/**
 * @module
 * Servers that number or cut the calls of tools in their own ways.
 */
import { answer, answering, chunk, DONE, event, type OddServer, sending, streaming } from './odd-server.ts'

type Piece = { index?: unknown; id?: string | null; type?: string; function?: object }

const calls = (...tool_calls: Piece[]) => chunk({ tool_calls })
const fn = (name: string | null | undefined, args: unknown) => ({
  ...(name !== undefined && { name }),
  ...(args !== undefined && { arguments: args }),
})
const call = (index: unknown, id: string | null | undefined, name: string | undefined, args: unknown): Piece => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: 'function',
  function: fn(name, args),
})
/** A later piece of a call. */
const more = (index: number, args: unknown): Piece => ({ index, function: fn(undefined, args) })
const end = chunk({}, 'tool_calls')

const one = { calls: [['pay', '{"amount":5}']] } as const
const two = {
  calls: [
    ['pay', '{"amount":1}'],
    ['look', '{"amount":2}'],
  ],
} as const
const twice = {
  calls: [
    ['pay', '{"amount":1}'],
    ['pay', '{"amount":2}'],
  ],
} as const
const usage = { usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } }

export const callServers: readonly OddServer[] = [
  streaming(
    'sends a call as documented',
    'OpenAI',
    [calls(call(0, 'a', 'pay', '')), calls(more(0, '{"amount"')), calls(more(0, ':5}')), end],
    { ...one, finish: 'tool_calls' },
  ),
  streaming(
    'changes the id of a call after its first piece',
    'poolsideai/pool#9',
    [calls(call(0, 'a', 'pay', '')), calls(call(0, 'b', '', '{"amount"')), calls(call(0, 'b', undefined, ':5}')), end],
    one,
  ),
  streaming(
    'repeats id, type and name in every piece',
    'SillyTavern/SillyTavern#5948',
    ['', '{"amount"', ':5}'].map((args) => calls(call(0, 'a', 'pay', args))).concat(end),
    one,
  ),
  streaming(
    'repeats the whole call at its end',
    'BerriAI/litellm#20480',
    [calls(call(0, 'a', 'pay', '{"amount":')), calls(more(0, '5}')), calls(call(0, 'a', 'pay', '{"amount":5}')), end],
    one,
  ),
  streaming(
    'sends an empty piece of the call with the end',
    'vercel/ai#3953',
    [
      calls(call(0, 'a', 'pay', '')),
      calls(more(0, '{"amount":5}')),
      chunk({ tool_calls: [more(0, '')] }, 'tool_calls'),
    ],
    one,
  ),
  streaming(
    'sends the last piece of the arguments with the end',
    'vLLM',
    [calls(call(0, 'a', 'pay', '{"amount"')), chunk({ tool_calls: [more(0, ':5}')] }, 'tool_calls')],
    one,
  ),
  streaming(
    'numbers all calls 0, with ids',
    'NousResearch/hermes-agent#62940',
    [calls(call(0, 'a', 'pay', '{"amount":1}')), calls(call(0, 'b', 'look', '{"amount":2}')), end],
    two,
  ),
  streaming(
    'numbers all calls 0, with ids, in one chunk',
    'NousResearch/hermes-agent#62940',
    [calls(call(0, 'a', 'pay', '{"amount":1}'), call(0, 'b', 'pay', '{"amount":2}')), end],
    twice,
  ),
  streaming(
    'numbers all calls 0, without ids',
    'NousResearch/hermes-agent#57939',
    [calls(call(0, undefined, 'pay', '{"amount":1}')), calls(call(0, undefined, 'pay', '{"amount":2}')), end],
    twice,
  ),
  streaming(
    'gives calls with different numbers the same id',
    'HKUDS/nanobot#3943',
    [calls(call(0, 'x', 'pay', '{"amount":1}')), calls(call(1, 'x', 'look', '{"amount":2}')), end],
    two,
  ),
  streaming(
    'does not number calls',
    'ollama/ollama#7881',
    [
      calls(call(undefined, 'a', 'pay', '{"amount":1}')),
      calls(call(undefined, 'b', 'look', '{"amount":2}')),
      chunk({}, 'stop'),
    ],
    two,
  ),
  streaming(
    'sends the pieces of a call without its type',
    'vllm-project/vllm#16340',
    [calls({ index: 0, id: 'a', function: fn('pay', '') }), calls(more(0, '{"amount":5}')), chunk({}, 'stop')],
    one,
  ),
  streaming(
    'ends an answer with calls with the reason stop',
    'ENTERPILOT/GoModel#124',
    [calls(call(0, 'a', 'pay', '{"amount":5}')), chunk({}, 'stop')],
    one,
  ),
  streaming(
    'ends an answer without calls with the reason tool_calls',
    'vllm-project/vllm#53255',
    [chunk({ content: 'Hi' }), chunk({ tool_calls: [] }, 'tool_calls')],
    { text: 'Hi', calls: [] },
  ),
  streaming(
    'ends an answer with calls without a reason',
    'openclaw/openclaw#98575',
    [calls(call(0, 'a', 'pay', '{"amount":5}'))],
    one,
  ),
  streaming(
    'sends empty strings in later pieces',
    'Azure',
    [calls(call(0, 'a', 'pay', '{"amount":')), calls({ index: 0, id: '', type: '', function: fn('', '5}') }), end],
    one,
  ),
  streaming(
    'sends null in later pieces',
    'DeepSeek',
    [calls(call(0, 'a', 'pay', '{"amount":')), calls({ index: 0, id: null, function: fn(null, '5}') }), end],
    one,
  ),
  streaming(
    'sends pieces of two calls alternately',
    'OpenAI',
    [
      calls(call(0, 'a', 'pay', ''), call(1, 'b', 'look', '')),
      calls(more(1, '{"amount"'), more(0, '{"amount"')),
      calls(more(0, ':1}')),
      calls(more(1, ':2}')),
      end,
    ],
    two,
  ),
  streaming(
    'numbers all calls 0, and sends their pieces alternately',
    'a gateway',
    [
      calls(call(0, 'a', 'pay', '{"amount"'), call(0, 'b', 'look', '{"amount"')),
      calls({ ...more(0, ':1}'), id: 'a' }, { ...more(0, ':2}'), id: 'b' }),
      end,
    ],
    two,
  ),
  streaming(
    'begins to number at 1, and jumps',
    'Anthropic, compatible endpoint',
    [calls(call(1, 'a', 'pay', '{"amount":1}')), calls(call(5, 'b', 'look', '{"amount":2}')), end],
    two,
  ),
  streaming('sends arguments as an object', 'Ollama', [calls(call(0, 'a', 'pay', { amount: 5 })), end], one),
  streaming(
    'ends an answer with calls twice',
    'skye-harris/hass_local_openai_llm#92',
    [calls(call(0, 'a', 'pay', '{"amount":5}')), end, { ...chunk({ content: '' }, 'tool_calls'), ...usage }],
    { ...one, usage: [7, 2] },
  ),
  streaming(
    'sends text, then a call',
    'OpenAI',
    [chunk({ content: 'I pay.' }), calls(call(0, 'a', 'pay', '{"amount":5}')), end],
    { ...one, text: 'I pay.' },
  ),
  streaming(
    'sends the index as a string',
    'langchain-ai/langchain#38456',
    [calls(call('0', 'a', 'pay', '{"amount"')), calls(call('0', undefined, undefined, ':5}')), end],
    one,
  ),
  streaming(
    'sends another id with every piece, and the name',
    'a gateway',
    [calls(call(0, 'a', 'pay', '{"amount"')), calls(call(0, 'b', 'pay', ':5}')), end],
    one,
  ),
  streaming(
    'sends the name last',
    'a gateway',
    [calls(call(0, 'a', undefined, '{"amount":5}')), calls(call(0, undefined, 'pay', '')), end],
    one,
  ),
  sending(
    'sends a call without a role',
    'a gateway',
    [event(calls(call(0, 'a', 'pay', '{"amount":5}'))), event(end), DONE],
    one,
  ),
  streaming(
    'sends a call in very many pieces',
    'llama.cpp',
    [calls(call(0, 'a', 'pay', '')), ...[...'{"amount":5}'].map((sign) => calls(more(0, sign))), end],
    one,
  ),
  sending(
    'ends the connection in the middle of arguments',
    'CommandCodeAI/command-code#785',
    [event(calls(call(0, 'a', 'pay', '{"amount":')))],
    { error: 'connection', retryable: true },
  ),
  sending(
    'ends the connection behind whole arguments',
    'anomalyco/opencode#39968',
    [event(calls(call(0, 'a', 'pay', '{"amount":5}')))],
    { error: 'connection', retryable: true },
  ),
  sending(
    'resets the connection in the middle of arguments',
    'CommandCodeAI/command-code#785',
    [event(calls(call(0, 'a', 'pay', '{"amount":')))],
    { error: 'connection', retryable: true },
    { end: 'reset' },
  ),
  sending(
    'cuts a call at its limit of tokens',
    'OpenAI',
    [event(calls(call(0, 'a', 'pay', '{"amo'))), event(chunk({}, 'length')), DONE],
    { finish: 'length' },
  ),
  answering(
    'gives the calls of a whole answer the same id',
    'run-llama/llama_index#22368',
    answer(
      {
        role: 'assistant',
        content: null,
        tool_calls: [call(undefined, 'x', 'pay', '{"amount":1}'), call(undefined, 'x', 'look', '{"amount":2}')],
      },
      'tool_calls',
    ),
    two,
  ),
  answering(
    'sends the call of a whole answer with the reason stop',
    'ENTERPILOT/GoModel#124',
    answer({ role: 'assistant', content: '', tool_calls: [call(undefined, 'a', 'pay', '{"amount":5}')] }),
    one,
  ),
]
