/**
 * @module
 * The task that another one was started by.
 */
import { callback, checkGiven } from '@x/core/options'

/**
 * Returns the submitted task that an agent works for, for an engine of your own: the task itself, or the one whose call an agent behind a tool
 * answers. The tasks of such agents are not submitted; their ids are those of calls. Undefined if there is no such task.
 * @param taskId - the option `startedBy` of `submit`.
 * @param isSubmitted - whether a task with this id was submitted.
 * @example
 * await submittedTask('rent/2/0', async (id) => id === 'rent') // => 'rent'
 */
export async function submittedTask(
  taskId: string,
  isSubmitted: (taskId: string) => Promise<boolean>,
): Promise<string | undefined> {
  checkGiven('submittedTask', { isSubmitted }, callback)
  for (let id: string | undefined = taskId; id !== undefined; id = /^(.+)\/\d+\/\d+$/s.exec(id)?.[1])
    if (await isSubmitted(id)) return id
  return undefined
}
