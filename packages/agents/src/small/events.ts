/**
 * @module
 * The events of a run as an async generator.
 */
import { checkOption, required } from '@x/core/options'
import type { ChatMessage } from '@x/core-model'
import { reportsOf } from '@x/core-model/async'
import type { StepEvent } from '../task/agent-event.ts'
import type { TypedTool } from '../tool/base-tool.ts'
import type { CallEventOf } from '../tool/typed-tools.ts'
import type { LoopResult, LoopRunOptions, SmallLoop } from './small-loop.ts'

/**
 * Answers a message with a loop, and yields the events of the run. Returns its result. The run waits for a slow reader, and
 * stops when the reader stops reading.
 * @example
 * const loop = reactLoop({ llm: new ScriptedLLM({ answers: [['Thought: easy\nAnswer: fo', 'ur']] }), layers: [streaming()] })
 * const pieces: string[] = []
 * for await (const event of eventsOf(loop, '2 + 2?')) if (event.type === 'text_delta') pieces.push(event.delta)
 * pieces // => ['fo', 'ur']
 */
export function eventsOf<Context, Output, Tools extends readonly TypedTool[]>(
  loop: SmallLoop<Context, Output, Tools>,
  input: string | ChatMessage,
  options: Omit<LoopRunOptions<Context, Tools>, 'onEvent' | 'ready'> = {},
): AsyncGenerator<StepEvent<CallEventOf<Tools>>, LoopResult<Output>> {
  checkOption('eventsOf', 'loop', loop, required('a loop', 'run'))
  return reportsOf(options.signal, (onEvent, signal, ready) =>
    loop.run(input, { ...options, signal, onEvent: (event) => void onEvent(event), ready }),
  )
}
