import { runChecks } from './checks.js'

runChecks('webpack-worker', 1)
