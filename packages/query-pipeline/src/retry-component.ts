import {
  BaseComponent,
  type ComponentInputKeys,
  type Dict,
  type QueryComponent,
  type RepeatOptions,
} from '@x/core-model'
import { RetryPolicy } from '@x/core-model/async'
import { contextKeys, type ModuleLike, type PipelineRunOptions, runInContext, toComponent } from './component.ts'
import { PipelineConfigError } from './errors.ts'
import { SharedInputs } from './shared-stream.ts'

/** The options of {@link RetryComponent}: the component, and how it is repeated. */
interface RetryComponentOptions extends RepeatOptions {
  /** The component that is repeated. */
  component: ModuleLike
  /** Fixed inputs. They override inputs of the run. */
  partial?: Dict | undefined
}

/**
 * Runs a component again if it fails with an error that is `retryable`, or for which `shouldRetry` returns true. Its inputs and outputs are
 * those of the component. Each attempt receives all pieces of a stream. An error in a stream that the component returns is not retried.
 * @throws {ModelValidationError} if an option is out of range.
 * @throws {PipelineConfigError} if `component` is not a component.
 * @example
 * let calls = 0
 * const shaky = new FnComponent({
 *   fn: () => {
 *     if (++calls < 2) throw new ModelCallError('busy', { kind: 'overloaded' })
 *     return 'done'
 *   },
 *   params: { required: [] },
 * })
 * await new RetryComponent({ component: shaky, baseDelayMs: 1 }).runComponent({}) // => { output: 'done' }
 */
export class RetryComponent extends BaseComponent {
  readonly subQueryComponents: readonly QueryComponent[]
  private readonly component: QueryComponent
  private readonly policy: RetryPolicy

  constructor(options: RetryComponentOptions) {
    const { component: module, partial, ...repeat } = options ?? {}
    super({ partial })
    const component = toComponent(module)
    if (!component) throw new PipelineConfigError('RetryComponent.component is not a component')
    this.component = component
    this.subQueryComponents = [component]
    this.policy = new RetryPolicy('RetryComponent', repeat)
  }

  get inputKeys(): ComponentInputKeys {
    return this.component.inputKeys
  }

  override get freeReqInputKeys(): readonly string[] {
    return this.component.freeReqInputKeys.filter((key) => !Object.hasOwn(this.partialInputs, key))
  }

  get outputKeys(): readonly string[] {
    return this.component.outputKeys
  }

  /** Inputs that the component takes from the context of a run. */
  get contextKeys(): readonly string[] {
    return contextKeys(this.component)
  }

  async runComponent(inputs: Readonly<Dict> = {}, options: PipelineRunOptions = {}): Promise<Dict> {
    const shared = new SharedInputs({ ...inputs, ...this.partialInputs })
    try {
      return await this.policy.repeat(() => runInContext(this.component, shared.read(), options), options.signal)
    } finally {
      shared.seal()
    }
  }
}
