import { InvalidArgumentError } from 'commander';
import { words } from '../../catalogue/words.js';
import { MOST_WAIT_SECONDS } from '../../frontends/mcp/asking/waits.js';

const MOST_PORT = 65_535;

export function readWholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError(words.cli.wholeNumber);
  return number;
}

export function readWait(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > MOST_WAIT_SECONDS)
    throw new InvalidArgumentError(words.mcp.badWait(MOST_WAIT_SECONDS));
  return number;
}

export function readPort(value: string): number {
  const number = Number(value);
  if (!/^\d{1,5}$/u.test(value) || number > MOST_PORT) throw new InvalidArgumentError(words.webDoor.badPort);
  return number;
}

export function readRepeat(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 2 || number > 10)
    throw new InvalidArgumentError(words.replay.badRepeat);
  return number;
}

export function readAmount(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError(words.cli.money);
  return number;
}
