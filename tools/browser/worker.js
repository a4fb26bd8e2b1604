import { runChecks } from './checks.js'

runChecks('worker', 0)
