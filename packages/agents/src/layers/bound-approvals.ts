/**
 * @module
 * Approvals that are bound to a user, a time, and a secret of the application.
 */
import { checkOptions, type OptionTable } from '@x/core/options'
import { APPROVAL_OPTIONS, type ApprovalBinding, type ApprovalSettings, approvalContents } from '../loop/hooks.ts'
import type { Scope } from '../loop/layer.ts'
import { sealOf } from '../task/approval-record.ts'

/**
 * Binds approvals to more than the tool's definition, the arguments and the turn: the option `approvals` of an agent, or `bound` of the
 * layer `approvals`. A call that is approved by somebody else, too late, or in a saved task without the seal waits again, and `problem`
 * says why.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 * @example
 * const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
 * const llm = new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {}', 'Answer: Paid.'] })
 * const bound = boundApprovals({ user: (context: { user: string }) => context.user })
 * const loop = reactLoop({ llm, tools: [pay], layers: [approvals({ bound })] })
 * const run = { context: { user: 'ann' } }
 * const { task, pending } = await loop.run('Pay!', run)
 * await decide(loop, task, pending[0].id, { decision: 'approve', by: 'bob' })
 * const again = await loop.resume(task, run)
 * again.pending[0].problem // => 'Somebody else has approved the call.'
 */
export function boundApprovals<Context = unknown>(settings: ApprovalSettings<Context>): ApprovalBinding<Context> {
  checkOptions('boundApprovals', settings, APPROVAL_OPTIONS as OptionTable<ApprovalSettings<Context>>)
  const { user, lifetimeMs, secret } = settings
  const seal = secret && ((value: unknown) => sealOf(value, secret))
  return {
    name: 'boundApprovals',
    user: user as ApprovalBinding['user'],
    seal,
    at: lifetimeMs === undefined ? undefined : (place, scope) => timeOf(`asked-${place}`, scope as Scope),
    async refusal(call, scope) {
      const { by, user: asked, id, at, seal: given } = call.approval!
      if (user && by !== asked) return 'Somebody else has approved the call.'
      if (seal && given !== seal(approvalContents(call))) return 'The approval was not made by this application.'
      const isLate = lifetimeMs !== undefined && (await timeOf(`late-${id}`, scope as Scope)) - at > lifetimeMs
      return isLate ? 'The approval came too late.' : ''
    },
  }
}

/** Returns the time, which an engine that repeats a step remembers. */
async function timeOf(name: string, { remember }: Scope): Promise<number> {
  const now = async () => Date.now()
  return remember ? remember(name, now, (time) => typeof time === 'number') : now()
}
