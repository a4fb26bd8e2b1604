/** The events in a pipeline. */
import { ChatMemoryBuffer } from '@x/agents'
import type { Dict } from '@x/core-model'
import type { ScriptedLLM } from '@x/llm/testing'
import { callsOf, caseModel } from '../../stand-ins/case-model.ts'
import { type MessageRecord, messageRecord } from '../../stand-ins/messages.ts'

export class Recorder {
  /** Keys of the modules in the order in which they ran. */
  readonly executed: string[] = []
  private readonly models: ScriptedLLM[] = []
  /** The memories of agents that are components. */
  readonly memories: RecordedMemory[] = []

  /** Makes a model whose requests are among the `calls`. */
  modelOf(...input: Parameters<typeof caseModel>): ScriptedLLM {
    const model = caseModel(...input)
    this.models.push(model)
    return model
  }

  /** The requests that all models received. */
  get calls(): Dict[] {
    return this.models.flatMap(callsOf)
  }

  /** The conversations of agents that are components. */
  get histories(): MessageRecord[][] {
    return this.memories.flatMap(({ made }) => made.map((memory) => memory.getAll().map(messageRecord)))
  }
}

/** Keeps the memories that are made beside it: an agent that runs as a component has one for each run. */
export class RecordedMemory extends ChatMemoryBuffer {
  readonly made: RecordedMemory[] = []

  override fresh(): RecordedMemory {
    const memory = new RecordedMemory({ tokenLimit: this.tokenLimit })
    this.made.push(memory)
    return memory
  }
}
