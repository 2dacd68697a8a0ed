import type { Preset, Seat } from '../../catalogue/presets.js';
import type { AgentType } from '../../models/AgentConfig.js';

/** A seat and who takes it. */
export interface TakenSeat extends Seat {
  readonly agentType: AgentType;
}

/** Everybody takes the seat meant for them; other seats go to whoever is there and has least to do. */
export function castPreset({ seats }: Preset, installed: readonly AgentType[]): readonly TakenSeat[] {
  const taken = new Map(
    installed.map((type) => [type, seats.filter(({ prefers }) => prefers === type).length]),
  );
  return seats.map((seat) => {
    if (taken.has(seat.prefers) || taken.size === 0) return { ...seat, agentType: seat.prefers };
    const [agentType, count] = [...taken].reduce((least, next) => (next[1] < least[1] ? next : least));
    taken.set(agentType, count + 1);
    return { ...seat, agentType };
  });
}
