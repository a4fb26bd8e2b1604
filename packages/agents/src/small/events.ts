/**
 * @module
 * The events of a run as an async generator.
 */
import { checkOption, required } from '@x/core/options'
import type { ChatMessage } from '@x/core-model'
import { untilLeft } from '@x/core-model/async'
import { Channel } from '../answer/channel.ts'
import type { StepEvent } from '../task/agent-event.ts'
import type { TypedTool } from '../tool/base-tool.ts'
import type { CallEventOf } from '../tool/typed-tools.ts'
import type { LoopResult, LoopRunOptions, SmallLoop } from './small-loop.ts'

/**
 * Answers a message with a loop, and yields the events of the run. Returns its result. The run stops when the reader leaves.
 * @example
 * const loop = reactLoop({ llm: new ScriptedLLM({ answers: [['Thought: easy\nAnswer: fo', 'ur']] }), layers: [streaming()] })
 * const pieces: string[] = []
 * for await (const event of eventsOf(loop, '2 + 2?')) if (event.type === 'text_delta') pieces.push(event.delta)
 * pieces // => ['fo', 'ur']
 */
export function eventsOf<Context, Output, Tools extends readonly TypedTool[]>(
  loop: SmallLoop<Context, Output, Tools>,
  input: string | ChatMessage,
  options: Omit<LoopRunOptions<Context, Tools>, 'onEvent'> = {},
): AsyncGenerator<StepEvent<CallEventOf<Tools>>, LoopResult<Output>> {
  checkOption('eventsOf', 'loop', loop, required('a loop', 'run'))
  return untilLeft(options.signal, async function* (signal) {
    const channel = new Channel<StepEvent<CallEventOf<Tools>>>()
    const running = loop.run(input, { ...options, signal, onEvent: (event) => void channel.push(event) })
    running.then(
      () => channel.close(),
      (error) => channel.fail(error),
    )
    yield* channel
    return await running
  })
}
