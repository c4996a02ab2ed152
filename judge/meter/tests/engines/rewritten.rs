//! Rewritten modules in two engines that neither count fuel nor make NaN bits canonical.

use std::collections::BTreeSet;

use judge_meter::{
    BULK, FEATURES, FUEL, FuelAccount, Funds, OWED, PAGES, REST, STACK, START, STATE,
};

use crate::host::{self, End, HostStop, START_FUEL, Scenario, TestHost, TestReply, Trace};

/// Bytes of the engine's own stack: more than any module needs before its virtual one ends.
const NATIVE_STACK: usize = 8 << 20;

fn account() -> FuelAccount {
    FuelAccount::new(host::PAGES * 65_536)
}

/// Declares how a case runs in an engine with the interface of wasmtime.
macro_rules! runs {
    ($engine:ident, $instantiate:ident, $error:expr) => {
        use $engine::{
            AsContextMut, Caller, Engine, Extern, ExternType, Instance, Linker, Module, Store, Val,
        };

        use super::*;

        type Failure = $engine::Error;

        fn failure() -> Failure {
            let error: fn(HostStop) -> Failure = $error;
            error(HostStop)
        }

        /// The globals of an instance.
        struct Tank<'a>(&'a dyn Fn(&str) -> Option<$engine::Global>);

        impl Tank<'_> {
            fn wide(&self, store: &mut impl AsContextMut, name: &str) -> i64 {
                (self.0)(name).unwrap().get(&mut *store).i64().unwrap()
            }

            fn narrow(&self, store: &mut impl AsContextMut, name: &str) -> i32 {
                (self.0)(name).unwrap().get(&mut *store).i32().unwrap()
            }

            fn funds(&self, store: &mut impl AsContextMut) -> Funds {
                let [fuel, rest, owed] = [FUEL, REST, OWED].map(|name| self.wide(store, name));
                Funds { fuel, rest, owed }
            }

            fn set(&self, store: &mut impl AsContextMut, funds: Funds) {
                let values = [(FUEL, funds.fuel), (REST, funds.rest), (OWED, funds.owed)];
                for (name, value) in values {
                    (self.0)(name).unwrap().set(&mut *store, Val::I64(value)).unwrap();
                }
            }
        }

        fn import(
            mut caller: Caller<'_, TestHost>,
            name: &str,
            arguments: &[Val],
            results: &mut [Val],
        ) -> Result<(), Failure> {
            let mut globals = std::collections::BTreeMap::new();
            for name in [FUEL, REST, OWED] {
                globals.insert(name, caller.get_export(name).and_then(Extern::into_global));
            }
            let find = |name: &str| globals[name].clone();
            let tank = Tank(&find);
            let funds = tank.funds(&mut caller);
            let left = account().left(funds);
            let value = |value: &Val| value.i64().or(value.i32().map(i64::from)).unwrap();
            let values: Vec<i64> = arguments.iter().map(value).collect();
            let reply = match caller.get_export("memory").and_then(Extern::into_memory) {
                Some(memory) => {
                    let (bytes, host) = memory.data_and_store_mut(&mut caller);
                    host.call(name, &values, bytes, left)
                }
                None => TestReply::Stop,
            };
            let TestReply::Result(value, price) = reply else { return Err(failure()) };
            if price > 0 {
                let Some(funds) = account().spend(funds, price) else {
                    caller.data_mut().is_out = true;
                    return Err(failure());
                };
                tank.set(&mut caller, funds);
            }
            results.iter_mut().for_each(|result| *result = Val::I32(value));
            Ok(())
        }

        /// Runs a case with its rewritten and compiled module.
        pub(crate) fn run(module: &Module, case: &Scenario) -> Trace {
            let engine = module.engine();
            let mut linker = Linker::new(engine);
            let mut linked = BTreeSet::new();
            for import in module.imports() {
                let (name, ExternType::Func(kind)) =
                    (import.name().to_owned(), import.ty().clone())
                else {
                    panic!("{} imports more than functions", case.name);
                };
                if !linked.insert((import.module().to_owned(), name.clone())) {
                    continue;
                }
                let place = import.module().to_owned();
                let call =
                    move |caller: Caller<'_, TestHost>, arguments: &[Val], results: &mut [Val]| {
                        self::import(caller, &name, arguments, results)
                    };
                linker.func_new(&place, import.name(), kind, call).unwrap();
            }
            let mut store = Store::new(engine, TestHost::new(case));
            let instance = match linker.$instantiate(&mut store, module) {
                Ok(instance) => instance,
                Err(error) => {
                    let end = End::Trap(host::trap(&message(&error)));
                    return store.data_mut().trace(end, None, false);
                }
            };
            let globals: std::collections::BTreeMap<_, _> =
                [FUEL, REST, OWED, PAGES, STATE, BULK, STACK]
                    .map(|name| (name, instance.get_global(&mut store, name)))
                    .into();
            let find = |name: &str| globals[name].clone();
            let tank = Tank(&find);
            (find)(PAGES).unwrap().set(&mut store, Val::I64(host::PAGES as i64)).unwrap();
            let called = calls(&mut store, instance, &tank, case);
            let (state, bulk) = (tank.narrow(&mut store, STATE), tank.narrow(&mut store, BULK));
            let end = match called {
                Ok(()) => End::Finished,
                Err(_) if store.data().is_out => End::OutOfFuel,
                Err(error) => {
                    let stopped = error.downcast_ref::<HostStop>().is_some();
                    host::failed(stopped, state, bulk, &message(&error))
                }
            };
            let stack = tank.narrow(&mut store, STACK);
            let memory = instance.get_memory(&mut store, "memory");
            let memory = memory.map(|memory| memory.data(&store).to_vec());
            let refused = judge_meter::is_refused(state);
            let trace = store.data_mut().trace(end, memory.as_deref(), refused);
            Trace { stack: Some(stack), ..trace }
        }

        fn calls(
            store: &mut Store<TestHost>,
            instance: Instance,
            tank: &Tank<'_>,
            case: &Scenario,
        ) -> Result<(), Failure> {
            tank.set(store, account().put(START_FUEL));
            for name in [START, "_initialize"] {
                if let Ok(begin) = instance.get_typed_func::<(), ()>(&mut *store, name) {
                    begin.call(&mut *store, ())?;
                }
            }
            if let Ok(begin) = instance.get_typed_func::<(), ()>(&mut *store, "_start") {
                tank.set(store, account().put(case.fuel));
                store.data_mut().started = true;
                begin.call(&mut *store, ())?;
                let left = account().left(tank.funds(store));
                store.data_mut().note("end".to_owned(), left);
                return Ok(());
            }
            let buffer = instance.get_typed_func::<(), i32>(&mut *store, "judge_buffer")?;
            let line = instance.get_typed_func::<i32, i32>(&mut *store, "judge_line")?;
            let address = buffer.call(&mut *store, ())?;
            tank.set(store, account().put(case.fuel));
            store.data_mut().started = true;
            for text in &case.lines {
                let memory = instance.get_memory(&mut *store, "memory").ok_or_else(failure)?;
                let at = address as u32 as usize;
                memory.write(&mut *store, at, text.as_bytes()).map_err(|_| failure())?;
                let answer = line.call(&mut *store, text.len() as i32)?;
                let left = account().left(tank.funds(store));
                let (bytes, host) = memory.data_and_store_mut(&mut *store);
                host.answered(bytes, address, answer, left);
            }
            Ok(())
        }
    };
}

/// wasmtime.
pub(crate) mod compiled {
    runs!(wasmtime, instantiate, |stopped| stopped.into());

    pub(crate) fn engine() -> Engine {
        let mut config = wasmtime::Config::new();
        config.wasm_features(wasmtime::WasmFeatures::all(), false);
        config.wasm_features(FEATURES, true);
        config.async_stack_size(2 * NATIVE_STACK);
        config.max_wasm_stack(NATIVE_STACK);
        Engine::new(&config).unwrap()
    }

    fn message(error: &Failure) -> String {
        let trap = error.downcast_ref::<wasmtime::Trap>();
        trap.map_or_else(|| format!("{error:#}"), ToString::to_string)
    }
}

/// wasmi.
pub(crate) mod interpreted {
    runs!(wasmi, instantiate_and_start, |stopped| wasmi::Error::host(stopped));

    impl wasmi::errors::HostError for HostStop {}

    pub(crate) fn engine() -> Engine {
        let mut config = wasmi::Config::default();
        config.set_max_recursion_depth(1 << 20).set_max_stack_height(NATIVE_STACK);
        Engine::new(&config)
    }

    fn message(error: &Failure) -> String {
        let trap = error.as_trap_code();
        trap.map_or_else(|| format!("{error}"), |code| code.to_string())
    }
}
