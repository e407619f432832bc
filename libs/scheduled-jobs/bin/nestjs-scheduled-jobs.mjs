#!/usr/bin/env node
// Not built, so that npm finds it when it links the program into a clone.
import { main } from '../dist/cli/main.js';

await main();
