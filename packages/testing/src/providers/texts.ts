/**
 * @module
 * Servers that write text, reasoning, usage and ends in their own ways.
 */
import { answer, answering, chunk, DONE, event, type OddServer, sending, streaming } from './odd-server.ts'

const hi = chunk({ content: 'Hi' })
const stop = chunk({}, 'stop')
const usage = (output: number) => ({ usage: { prompt_tokens: 7, completion_tokens: output, total_tokens: 7 + output } })
const bytes = [...new TextEncoder().encode(event(chunk({ content: '🍐é' })) + event(stop) + DONE)]
const many = Array.from({ length: 2000 }, (_, n) => String(n % 10))

export const textServers: readonly OddServer[] = [
  streaming('streams text as documented', 'OpenAI', [chunk({ content: 'H' }), chunk({ content: 'i' }), stop], {
    text: 'Hi',
    finish: 'stop',
  }),
  streaming(
    'sends empty reasons before the last',
    'farion1231/cc-switch#5093',
    [chunk({ content: 'Hel' }, ''), chunk({ content: 'lo' }, ''), stop],
    { text: 'Hello', finish: 'stop' },
  ),
  streaming(
    'sends an empty reason behind the last',
    'farion1231/cc-switch#5093',
    [hi, stop, chunk({ content: '' }, '')],
    { text: 'Hi', finish: 'stop' },
  ),
  streaming(
    'sends usage in a chunk without choices',
    'gradio-app/gradio#11729',
    [hi, stop, { ...chunk({}), choices: [], ...usage(2) }],
    { text: 'Hi', usage: [7, 2] },
  ),
  streaming(
    'sends usage in every chunk',
    'vLLM, continuous_usage_stats',
    [
      { ...chunk({ content: 'H' }), ...usage(1) },
      { ...chunk({ content: 'i' }, 'stop'), ...usage(2) },
    ],
    { text: 'Hi', usage: [7, 2] },
  ),
  streaming('sends usage in the choice', 'Moonshot', [hi, chunk({}, 'stop', usage(2))], { text: 'Hi', usage: [7, 2] }),
  streaming('refuses in a field of its own', 'OpenAI', [chunk({ refusal: 'No.' }), stop], {
    text: 'No.',
    finish: 'content_filter',
  }),
  streaming(
    'sends null for what a chunk does not contain',
    'vLLM',
    [
      chunk({ role: 'assistant', content: null, reasoning_content: null }),
      chunk({ content: null, reasoning_content: 'think' }),
      chunk({ content: 'Hi', reasoning_content: null, tool_calls: null }),
      chunk({ content: null }, 'stop'),
    ],
    { text: 'Hi', reasoning: 'think' },
  ),
  streaming('sends reasoning under the shorter name', 'vLLM', [chunk({ content: '', reasoning: 'think' }), hi, stop], {
    text: 'Hi',
    reasoning: 'think',
  }),
  streaming(
    'sends reasoning under two names',
    'OpenRouter',
    [chunk({ content: null, reasoning: 'think', reasoning_content: 'think' }), hi, stop],
    { text: 'Hi', reasoning: 'think' },
  ),
  streaming('sends the delta null at the end', 'Azure', [hi, chunk(null, 'stop')], { text: 'Hi', finish: 'stop' }),
  streaming('sends no delta at the end', 'Azure', [hi, { ...stop, choices: [{ index: 0, finish_reason: 'stop' }] }], {
    text: 'Hi',
    finish: 'stop',
  }),
  streaming(
    'sends the results of a filter before the first choice',
    'Azure',
    [
      {
        id: '',
        object: '',
        created: 0,
        model: '',
        choices: [],
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
      },
      hi,
      stop,
    ],
    { text: 'Hi' },
  ),
  streaming(
    'sends the results of a filter behind the end',
    'Azure',
    [
      hi,
      stop,
      {
        id: '',
        object: '',
        created: 0,
        model: '',
        choices: [
          { index: 0, finish_reason: null, content_filter_results: {}, content_filter_offsets: { check_offset: 1 } },
        ],
      },
    ],
    { text: 'Hi', finish: 'stop' },
  ),
  streaming(
    'numbers tokens instead of choices',
    'huggingface/text-generation-inference#1648',
    ['H', 'i'].map((content, n) => chunk({ role: 'assistant', content }, n === 1 ? 'stop' : null, { index: n + 1 })),
    { text: 'Hi' },
  ),
  streaming(
    'sends two choices',
    'OpenAI, n = 2',
    [
      {
        ...chunk({}),
        choices: [
          { index: 0, delta: { content: 'A' } },
          { index: 1, delta: { content: 'B' } },
        ],
      },
      chunk({ content: 'b' }, null, { index: 1 }),
      chunk({ content: 'a' }, 'stop'),
    ],
    { text: 'Aa' },
  ),
  streaming(
    'sends the choices null beside usage',
    'LiteLLM',
    [hi, { ...chunk({}), choices: null, ...usage(2) }, stop],
    { text: 'Hi' },
  ),
  streaming('sends the content as parts', 'Mistral', [chunk({ content: [{ type: 'text', text: 'Hi' }] }), stop], {
    text: 'Hi',
  }),
  streaming('writes reasons in capitals', 'Gemini, compatible endpoint', [hi, chunk({}, 'STOP')], {
    text: 'Hi',
    finish: 'stop',
  }),
  streaming(
    'sends the role in every chunk',
    'Mistral',
    [chunk({ role: 'assistant', content: 'H' }), chunk({ role: 'assistant', content: 'i' }, 'stop')],
    { text: 'Hi' },
  ),
  streaming(
    'writes its thinking into the text',
    'DeepSeek R1 behind vLLM',
    [chunk({ content: '<think>plan' }), chunk({ content: '</think>Hi' }), stop],
    { text: '<think>plan</think>Hi' },
  ),
  streaming('sends very many pieces', 'llama.cpp', [...many.map((content) => chunk({ content })), stop], {
    text: many.join(''),
  }),
  streaming('reports a content filter as sensitive', 'Zhipu', [hi, chunk({}, 'sensitive')], {
    finish: 'content_filter',
  }),
  streaming('reports a content filter', 'Azure', [hi, chunk({}, 'content_filter')], { finish: 'content_filter' }),
  sending(
    'sends comments while it waits',
    'OpenRouter',
    [': OPENROUTER PROCESSING\n\n', ': OPENROUTER PROCESSING\n\n', event(hi), event(stop), DONE],
    { text: 'Hi' },
  ),
  sending('sends events without data', 'OpenRouter', [event(hi), 'data:\n\n', ':\n\n', event(stop), DONE], {
    text: 'Hi',
  }),
  sending('sends the event null', 'a gateway', [event(hi), 'data: null\n\n', event(stop), DONE], { text: 'Hi' }),
  sending(
    'names and numbers its events, and sends others',
    'LiteLLM',
    ['retry: 100\n\n', `id: 1\nevent: message\n${event(hi)}`, 'event: ping\ndata: {}\n\n', event(stop), DONE],
    { text: 'Hi' },
  ),
  sending('begins with a byte order mark', 'a gateway', [`\uFEFF${event(hi)}`, event(stop), DONE], { text: 'Hi' }),
  sending(
    'cuts characters between two packets',
    'any network',
    bytes.map((byte) => Uint8Array.of(byte)),
    { text: '🍐é' },
  ),
  sending('ends lines with CR LF', 'a gateway', [`${event(hi)}${event(stop)}${DONE}`.replaceAll('\n', '\r\n')], {
    text: 'Hi',
  }),
  sending(
    'writes data without a space',
    'Ollama',
    [event(hi).replace('data: ', 'data:'), event(stop).replace('data: ', 'data:'), 'data:[DONE]\n\n'],
    { text: 'Hi' },
  ),
  sending('does not end the last line', 'a gateway', [event(hi), event(stop), 'data: [DONE]'], { text: 'Hi' }),
  sending(
    'sends one JSON answer instead of a stream',
    'vLLM behind a gateway',
    [JSON.stringify(answer({ role: 'assistant', content: 'Hi' }))],
    { text: 'Hi' },
    { type: 'application/json' },
  ),
  sending('ends a stream without [DONE]', 'LM Studio', [event(hi), event(stop)], { text: 'Hi', finish: 'stop' }),
  answering(
    'sends blank lines before a whole answer',
    'OpenRouter',
    `\n\n   \n\n${JSON.stringify(answer({ role: 'assistant', content: 'Hi' }))}`,
    { text: 'Hi' },
  ),
  answering(
    'streams although no stream was requested',
    'a gateway',
    event(hi) + event(stop) + DONE,
    { text: 'Hi' },
    { type: 'text/event-stream' },
  ),
  answering('answers with the content null', 'OpenAI', answer({ role: 'assistant', content: null }), { text: '' }),
  answering('answers with reasoning alone', 'DeepSeek', answer({ role: 'assistant', reasoning_content: 'think' }), {
    text: '',
    reasoning: 'think',
  }),
  answering('answers without a reason', 'Ollama', answer({ role: 'assistant', content: 'Hi' }, null), { text: 'Hi' }),
  answering(
    'answers with null instead of counts',
    'LM Studio',
    answer({ role: 'assistant', content: 'Hi' }, 'stop', { usage: { prompt_tokens: null, completion_tokens: null } }),
    { text: 'Hi' },
  ),
]
