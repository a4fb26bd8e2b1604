import { report } from './checks.js'

report('webpack-worker')
