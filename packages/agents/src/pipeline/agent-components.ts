/**
 * @module
 * Query pipeline components for agents. They receive the task and the state of the agent's step; these inputs need no links.
 */

import {
  callback,
  callbackManager,
  checkOptions,
  dict,
  list,
  type OptionTable,
  required,
  text,
  unchecked,
} from '@x/core/options'
import {
  BaseComponent,
  type CallbackManager,
  ComponentInputError,
  type ComponentInputKeys,
  ComponentOutputError,
  DefinedComponent,
  type Dict,
  isInstance,
  CallbackManager as Manager,
  type QueryComponent,
  type ToolOutput,
} from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/components'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { CustomQueryComponent, type FnParams, type PipelineRunOptions, paramKeys } from '@x/query-pipeline'
import { findTool } from '../loop/loop.ts'
import { needsApproval } from '../loop/needs-approval.ts'
import { Task } from '../task/task.ts'
import { ApprovalError } from '../task/task-errors.ts'
import { type AsyncBaseTool, adaptToAsyncTool, type Tool } from '../tool/base-tool.ts'
import { readCallArguments } from '../tool/read-arguments.ts'
import { runToolCall } from '../worker/run-tool-call.ts'

/** The state of an agent step; components share it and may change it. */
type AgentComponentState = Record<string, unknown>

const OWN_KEYS = ['task', 'state']

type AgentComponentKind = 'input' | 'function'

/** Returns the kind of an agent component, also of another copy of this package; undefined for all other components. */
export function agentComponentKind(component: QueryComponent): AgentComponentKind | undefined {
  return (component as { '~x-agent-component'?: AgentComponentKind })['~x-agent-component']
}

function checkOwn({ task, state }: Dict, name: string): { task: Task; state: AgentComponentState } {
  if (!isInstance(task, Task)) throw new ComponentInputError(`${name}: input task must be a Task.`, ['task'])
  if (typeof state !== 'object' || state === null || Array.isArray(state)) {
    throw new ComponentInputError(`${name}: input state must be an object.`, ['state'])
  }
  return { task, state: state as AgentComponentState }
}

function withoutOwn(inputs: Dict): Dict {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => !OWN_KEYS.includes(key)))
}

/** The first component of an agent's pipeline: a function of task and state whose result contains its outputs. */
export class AgentInputComponent extends BaseComponent {
  private readonly fn: (task: Task, state: AgentComponentState, more: Dict) => unknown

  constructor(options: {
    fn: (task: Task, state: AgentComponentState, more: Dict) => unknown
    partial?: Dict | undefined
  }) {
    checkOptions('AgentInputComponent', options, { fn: callback, partial: dict })
    super(options)
    this.fn = options.fn
  }

  get inputKeys(): ComponentInputKeys {
    return { required: OWN_KEYS, optional: [] }
  }

  /** The inputs that the run of the agent delivers, without a link. */
  get contextKeys(): readonly string[] {
    return OWN_KEYS
  }

  /** Recognizes agent components of another copy of this package. @internal */
  get '~x-agent-component'(): AgentComponentKind {
    return 'input'
  }

  /** Empty: the function determines the outputs. */
  get outputKeys(): readonly string[] {
    return []
  }

  async runComponent(inputs: Readonly<Dict> = {}): Promise<Dict> {
    const given = { ...inputs, ...this.partialInputs }
    const { task, state } = checkOwn(given, 'AgentInputComponent')
    const outputs = await this.fn(task, state, withoutOwn(given))
    if (typeof outputs !== 'object' || outputs === null || Array.isArray(outputs)) {
      throw new ComponentOutputError('AgentInputComponent.fn: expected an object as the result.')
    }
    return outputs as Dict
  }
}

/** Options of `AgentFnComponent`. */
interface AgentFnComponentOptions {
  /** Receives the task, the state, and the declared inputs. */
  fn: (task: Task, state: AgentComponentState, inputs: never, options: PipelineRunOptions) => unknown
  /** The inputs in addition to task and state. */
  params: FnParams
  /** The name of the output. @defaultValue 'output' */
  outputKey?: string | undefined
  /** Fixed inputs. They win over the inputs of a run. */
  partial?: Dict | undefined
}

const FN_OPTIONS: OptionTable<AgentFnComponentOptions> = {
  fn: callback,
  params: unchecked,
  outputKey: text,
  partial: dict,
}

/** A component for a function of task, state and inputs. The last one in an agent's pipeline returns `[response, isDone]`. */
export class AgentFnComponent extends DefinedComponent {
  constructor(options: AgentFnComponentOptions) {
    checkOptions('AgentFnComponent', options, FN_OPTIONS)
    const { fn, params, outputKey = 'output', partial } = options
    const { required, optional } = paramKeys(params)
    super({
      name: 'AgentFnComponent',
      inputKeys: () => ({ required: [...OWN_KEYS, ...required], optional }),
      outputKeys: [outputKey],
      partial,
      run: async (inputs, options) => {
        const { task, state } = checkOwn(inputs, 'AgentFnComponent')
        return { [outputKey]: await fn(task, state, withoutOwn(inputs) as never, options) }
      },
    })
  }

  /** The inputs that the run of the agent delivers, without a link. */
  get contextKeys(): readonly string[] {
    return OWN_KEYS
  }

  /** Recognizes agent components of another copy of this package. @internal */
  get '~x-agent-component'(): AgentComponentKind {
    return 'function'
  }
}

/** A custom component that receives the task and the state. */
export abstract class CustomAgentComponent extends CustomQueryComponent {
  /** The inputs that the run of the agent delivers, without a link. */
  get contextKeys(): readonly string[] {
    return OWN_KEYS
  }

  /** Recognizes agent components of another copy of this package. @internal */
  get '~x-agent-component'(): AgentComponentKind {
    return 'function'
  }

  override get inputKeys() {
    const { required, optional } = super.inputKeys
    return { required: [...OWN_KEYS.filter((key) => !required.includes(key)), ...required], optional }
  }
}

/** Options of `ToolRunnerComponent`. */
interface ToolRunnerComponentOptions {
  /** The tools that can be called. */
  tools: readonly Tool[]
  /** Receives the event of each call, unless a run has its own callback manager. @defaultValue a manager without handlers */
  callbackManager?: CallbackManager | undefined
  /** Fixed inputs. They win over the inputs of a run. */
  partial?: Dict | undefined
}

const TOOL_RUNNER_OPTIONS: OptionTable<ToolRunnerComponentOptions> = {
  tools: required(list),
  callbackManager,
  partial: dict,
}

/**
 * Calls tools. The inputs are `tool_name` and `tool_input`; `output` is the output of the tool. Failures are thrown. Calls that need
 * approval throw, because a pipeline cannot wait for approval.
 */
export class ToolRunnerComponent extends DefinedComponent {
  constructor(options: ToolRunnerComponentOptions) {
    checkOptions('ToolRunnerComponent', options, TOOL_RUNNER_OPTIONS)
    const { tools, callbackManager, partial } = options
    const known: AsyncBaseTool[] = tools.map(adaptToAsyncTool)
    let manager = callbackManager ?? new Manager()
    super({
      name: 'ToolRunnerComponent',
      inputKeys: () => ({ required: ['tool_name', 'tool_input'], optional: [] }),
      outputKeys: ['output'],
      partial,
      setCallbackManager: (given) => {
        manager = given
      },
      run: async (
        { tool_name, tool_input },
        { signal, callbackManager: ownManager, parentId },
      ): Promise<{ output: ToolOutput }> => {
        const name = await inputTextOrStream(tool_name, 'tool_name')
        if (typeof tool_input !== 'object' || tool_input === null || Array.isArray(tool_input)) {
          throw new ComponentInputError('ToolRunnerComponent: input tool_input must be an object.', ['tool_input'])
        }
        const task = new Task({ input: name, memory: ChatMemoryBuffer.fromDefaults() })
        const call = { id: 'tool_runner', name, arguments: tool_input as Record<string, unknown> }
        if (await needsApproval(call, findTool(known, name), { task }, readCallArguments)) {
          throw new ApprovalError(`Tool "${name}" needs approval, but a pipeline cannot wait for it.`)
        }
        const output = await runToolCall(call, known, {
          callbackManager: ownManager ?? manager,
          parentId,
          onToolError: 'raise',
          onUnknownTool: 'raise',
          signal,
          task,
        })
        return { output }
      },
    })
  }
}
