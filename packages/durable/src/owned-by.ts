/**
 * @module
 * Whose tasks these are: a field of the id, compared whole.
 */
import { checkOption, invalidOption, required, text as string } from '@x/core/options'
import { newId, sha256 } from '@x/core-model/data'
import { A_USER, isUser } from './http.ts'

/**
 * Returns an id of a task that belongs to a user: the id itself if it does already, otherwise one that ends with it.
 * @param id - the id that the user chose. @defaultValue a new one
 * @throws {ModelValidationError} if `user` is not a user, such as an empty string or undefined.
 * @example
 * const mine = ownedId('ann', 'rent')
 * isOwned('ann', mine) // => true
 * isOwned('ann-2', mine) // => false
 * ownedId('ann', mine) === mine // => true
 */
export function ownedId(user: string, id: string = newId()): string {
  if (!isUser(user)) throw invalidOption('ownedId', 'user', A_USER, user)
  return isOwned(user, id) ? id : `${fieldOf(user)}${id}`
}

/** Whether a task belongs to a user. */
export function isOwned(user: string, id: string): boolean {
  checkOption('isOwned', 'id', id, required(string))
  return ownerPart(id) === fieldOf(user)
}

/**
 * Returns the owner in an id of {@link ownedId}, with the point behind it; an empty string if the id has no owner. An engine begins the id
 * of a copy with it, so that the copy belongs to the owner of its original.
 * @example
 * const copy = ownerPart(ownedId('ann', 'rent')) + 'copy'
 * isOwned('ann', copy) // => true
 * ownerPart('rent') // => ''
 */
export function ownerPart(taskId: string): string {
  return /^[0-9a-f]{64}\./.exec(taskId)?.[0] ?? ''
}

function fieldOf(user: string): string {
  return `${sha256(JSON.stringify([user]))}.`
}

/** The option `mayUse` of `tasksHandler` by {@link ownedBy}. */
export interface OwnedBy {
  (request: Request, use: { taskId: string | undefined }): Promise<boolean>
  /** Returns the id of a task of the sender; undefined if the request has no user. */
  idFor(request: Request, id: string | undefined): Promise<string | undefined>
  /** Returns the sender; undefined if the request has no user. */
  userOf(request: Request): Promise<string | undefined>
}

/**
 * Restricts each user to the tasks that are theirs: the option `mayUse` of `tasksHandler`. The owner is a part of each id that the handler
 * makes, also where the sender chose the rest of it; the response contains the whole id. Code of the server makes such ids with
 * {@link ownedId}.
 * @param user - returns who sends a request, by its session. A request without a user is refused; so are blank strings, `'undefined'`,
 * `'null'`, `'NaN'` and `'[object Object]'`.
 * @example
 * const mayUse = ownedBy((request) => request.headers.get('x-user'))
 * const ann = new Request('http://localhost/tasks/t', { headers: { 'x-user': 'ann' } })
 * await mayUse(ann, { taskId: ownedId('ann', 't') }) // => true
 * await mayUse(ann, { taskId: ownedId('bob', 't') }) // => false
 */
export function ownedBy(user: (request: Request) => string | null | Promise<string | null>): OwnedBy {
  const userOf = async (request: Request) => {
    const own = await user(request)
    return isUser(own) ? own : undefined
  }
  const mayUse = async (request: Request, { taskId }: { taskId: string | undefined }) => {
    const own = await userOf(request)
    return own !== undefined && (taskId === undefined || isOwned(own, taskId))
  }
  const idFor = async (request: Request, id: string | undefined) => {
    const own = await userOf(request)
    return own === undefined ? undefined : ownedId(own, id)
  }
  return Object.assign(mayUse, { idFor, userOf })
}
