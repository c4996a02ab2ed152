//! Slots of machines: free, held by a batch, or gone.

use crate::events::{Luck, Time};

/// Marks a slot that is not in the list of free ones.
const NOWHERE: u32 = u32::MAX;

/// All slots.
#[derive(Debug)]
pub(super) struct Slots {
    each: u32,
    free: Vec<u32>,
    /// Position of each slot among the free ones.
    places: Vec<u32>,
    held: Vec<Option<(u32, Time)>>,
    /// Number of losses of a machine, and true if it is lost now.
    lives: Vec<(u32, bool)>,
    /// Machines that get no work for now.
    closed: Vec<bool>,
}

impl Slots {
    pub(super) fn new(machines: usize, each: usize) -> Slots {
        let all = u32::try_from(machines * each).unwrap_or(NOWHERE - 1);
        let mut slots = Slots {
            each: u32::try_from(each).unwrap_or(1).max(1),
            free: Vec::new(),
            places: vec![NOWHERE; all as usize],
            held: vec![None; all as usize],
            lives: vec![(0, false); machines],
            closed: vec![false; machines],
        };
        (0..all).for_each(|slot| slots.add(slot));
        slots
    }

    /// Number of free slots.
    pub(super) fn free(&self) -> usize {
        self.free.len()
    }

    pub(super) fn machine_of(&self, slot: u32) -> usize {
        (slot / self.each) as usize
    }

    /// The life of the slot's machine, which changes when the machine is lost.
    pub(super) fn life_of(&self, slot: u32) -> u32 {
        self.lives[self.machine_of(slot)].0
    }

    pub(super) fn is_lost(&self, machine: u32) -> bool {
        self.lives[machine as usize].1
    }

    /// Any free slot.
    pub(super) fn take(&mut self, luck: &mut Luck) -> Option<u32> {
        let place = luck.below(self.free.len() as u64);
        let slot = *self.free.get(usize::try_from(place).ok()?)?;
        self.remove(slot);
        Some(slot)
    }

    pub(super) fn hold(&mut self, slot: u32, batch: u32, begun: Time) {
        self.held[slot as usize] = Some((batch, begun));
    }

    /// Marks a slot as free.
    pub(super) fn set_free(&mut self, slot: u32) {
        self.held[slot as usize] = None;
        if !self.closed[self.machine_of(slot)] {
            self.add(slot);
        }
    }

    /// Batches of a machine, with their start times.
    pub(super) fn held(&self, machine: u32) -> Vec<(u32, Time)> {
        self.slots_of(machine).filter_map(|slot| self.held[slot as usize]).collect()
    }

    /// Removes a machine; returns its batches.
    pub(super) fn lose(&mut self, machine: u32) -> Vec<(u32, Time)> {
        let held = self.held(machine);
        self.close(machine);
        self.slots_of(machine).for_each(|slot| self.held[slot as usize] = None);
        let (life, is_lost) = &mut self.lives[machine as usize];
        (*life, *is_lost) = (*life + 1, true);
        held
    }

    /// Stops giving work to a machine, which finishes its batches.
    pub(super) fn close(&mut self, machine: u32) {
        self.closed[machine as usize] = true;
        self.slots_of(machine).for_each(|slot| self.remove(slot));
    }

    /// Brings a machine back: its slots without a batch become free.
    pub(super) fn come_back(&mut self, machine: u32) {
        self.lives[machine as usize].1 = false;
        self.closed[machine as usize] = false;
        for slot in self.slots_of(machine) {
            if self.held[slot as usize].is_none() {
                self.add(slot);
            }
        }
    }

    fn slots_of(&self, machine: u32) -> std::ops::Range<u32> {
        machine * self.each..(machine + 1) * self.each
    }

    fn add(&mut self, slot: u32) {
        if self.places[slot as usize] == NOWHERE {
            self.places[slot as usize] = u32::try_from(self.free.len()).unwrap_or(NOWHERE);
            self.free.push(slot);
        }
    }

    fn remove(&mut self, slot: u32) {
        let place = self.places[slot as usize];
        if place == NOWHERE {
            return;
        }
        self.places[slot as usize] = NOWHERE;
        self.free.swap_remove(place as usize);
        if let Some(moved) = self.free.get(place as usize) {
            self.places[*moved as usize] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_machine_is_free_only_after_its_return() {
        let (mut slots, mut luck) = (Slots::new(3, 2), Luck::new(1));
        let slot = slots.take(&mut luck).unwrap();
        slots.hold(slot, 7, 100);
        let machine = u32::try_from(slots.machine_of(slot)).unwrap();
        let life = slots.life_of(slot);
        assert_eq!(slots.lose(machine), [(7, 100)]);
        assert!(slots.is_lost(machine) && slots.life_of(slot) != life);
        assert_eq!(slots.free(), 4);
        let others = std::iter::from_fn(|| slots.take(&mut luck)).collect::<Vec<_>>();
        assert!(
            others.iter().all(|slot| slots.machine_of(*slot) != machine as usize),
            "{others:?}"
        );
        slots.come_back(machine);
        assert_eq!(slots.free(), 2);
    }

    #[test]
    fn a_closed_machine_keeps_its_batches() {
        let (mut slots, mut luck) = (Slots::new(1, 2), Luck::new(1));
        let slot = slots.take(&mut luck).unwrap();
        slots.hold(slot, 7, 100);
        slots.close(0);
        assert_eq!((slots.free(), slots.held(0)), (0, vec![(7, 100)]));
        slots.come_back(0);
        assert_eq!(slots.free(), 1);
        slots.set_free(slot);
        slots.set_free(slot);
        assert_eq!(slots.free(), 2, "once");
    }
}
