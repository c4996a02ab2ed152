//! The sandbox's engine with its own fuel, configured and filled as the sandbox does it.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use judge_meter::{FEATURES, MAX_TABLE_ELEMENTS, TABLE_COPY_ELEMENT, cost_table};
use wasmtime::{
    Caller, Config, Engine, Extern, ExternType, Linker, Module, OperatorCost, ResourceLimiter,
    Store, Trap, Val, WasmFeatures,
};

use crate::host::{End, HostStop, PAGES, START_FUEL, Scenario, TestHost, TestReply, Trace, trap};

/// Fuel after that of a call, in which an operator reaches its own check.
const GRACE: u64 = PAGES * 65_536 + (1 << 23);

const LEAST: u64 = 1 << 12;

macro_rules! costs {
    ($($cost:literal: $($operator:ident)+;)*) => {
        fn costs() -> OperatorCost {
            let mut costs = OperatorCost::new();
            $($(costs.$operator = $cost;)+)*
            costs.variable.table_copy_per_element = TABLE_COPY_ELEMENT;
            costs.variable.table_grow_per_element = 0;
            costs
        }
    };
}

cost_table!(costs);

#[derive(Default)]
struct NativeGuest {
    host: TestHost,
    owed: u64,
    /// A growth of the memory was refused.
    refused: bool,
}

impl ResourceLimiter for NativeGuest {
    fn memory_growing(
        &mut self,
        _: usize,
        desired: usize,
        most: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let fits = desired as u64 <= PAGES * 65_536 && most.is_none_or(|most| desired <= most);
        self.refused |= !fits;
        Ok(fits)
    }

    fn memory_grow_failed(&mut self, _: wasmtime::Error) -> wasmtime::Result<()> {
        self.refused = true;
        Ok(())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        most: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.owed += (desired.saturating_sub(current) as u64).min(MAX_TABLE_ELEMENTS);
        Ok(desired as u64 <= MAX_TABLE_ELEMENTS && most.is_none_or(|most| desired <= most))
    }
}

/// The engine.
pub(crate) fn engine() -> Engine {
    let mut config = Config::new();
    config.consume_fuel(true);
    config.operator_cost(costs());
    config.cranelift_nan_canonicalization(true);
    config.wasm_features(WasmFeatures::all(), false);
    config.wasm_features(FEATURES, true);
    Engine::new(&config).unwrap()
}

fn put(caller: &mut impl wasmtime::AsContextMut<Data = NativeGuest>, fuel: u64) {
    let mut store = caller.as_context_mut();
    store.data_mut().owed = 0;
    store.fuel_async_yield_interval(Some(fuel.max(LEAST))).unwrap();
    store.set_fuel(fuel + GRACE).unwrap();
}

fn left(caller: &impl wasmtime::AsContext<Data = NativeGuest>) -> u64 {
    let store = caller.as_context();
    store.get_fuel().unwrap().saturating_sub(GRACE + store.data().owed)
}

/// An import's call.
fn import(
    mut caller: Caller<'_, NativeGuest>,
    name: &str,
    arguments: &[Val],
    results: &mut [Val],
) -> wasmtime::Result<()> {
    let left = left(&caller);
    let values: Vec<i64> = arguments.iter().map(bits).collect();
    let memory = caller.get_export("memory").and_then(Extern::into_memory);
    let reply = match memory {
        Some(memory) => {
            let (bytes, guest) = memory.data_and_store_mut(&mut caller);
            guest.host.call(name, &values, bytes, left)
        }
        None => TestReply::Stop,
    };
    let TestReply::Result(value, price) = reply else { return Err(HostStop.into()) };
    if price > 0 {
        let left = left.checked_sub(price).ok_or(Trap::OutOfFuel)?;
        put(&mut caller, left);
    }
    results.iter_mut().for_each(|result| *result = Val::I32(value));
    Ok(())
}

fn bits(value: &Val) -> i64 {
    match value {
        Val::I32(value) => i64::from(*value),
        Val::I64(value) => *value,
        other => panic!("{other:?} as an argument"),
    }
}

/// Runs a case with its compiled module.
pub(crate) fn run(module: &Module, case: &Scenario) -> Trace {
    let engine = module.engine();
    let mut linker = Linker::new(engine);
    for import in module.imports() {
        let (name, ExternType::Func(kind)) = (import.name().to_owned(), import.ty()) else {
            panic!("{} imports more than functions", case.name);
        };
        let function =
            move |caller: Caller<'_, NativeGuest>, arguments: &[Val], results: &mut [Val]| {
                self::import(caller, &name, arguments, results)
            };
        // Some modules import a function twice.
        linker.allow_shadowing(true);
        linker.func_new(import.module(), import.name(), kind, function).unwrap();
    }
    let guest = NativeGuest { host: TestHost::new(case), ..NativeGuest::default() };
    let mut store = Store::new(engine, guest);
    store.limiter(|guest| guest);
    let mut instance = None;
    let (ended, is_out) = {
        let mut call = pin!(calls(&mut store, &linker, module, case, &mut instance));
        let mut is_out = false;
        loop {
            match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(ended) => break (ended, is_out),
                Poll::Pending => is_out = true,
            }
        }
    };
    let end = match &ended {
        Ok(()) => End::Finished,
        Err(error) => end(error, is_out),
    };
    let memory = instance.and_then(|instance: wasmtime::Instance| {
        Some(instance.get_memory(&mut store, "memory")?.data(&store).to_vec())
    });
    let refused = store.data().refused;
    store.data_mut().host.trace(end, memory.as_deref(), refused)
}

fn end(error: &wasmtime::Error, is_out: bool) -> End {
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => End::OutOfFuel,
        // At a bulk operator this is its own check.
        Some(Trap::MemoryOutOfBounds | Trap::TableOutOfBounds) if is_out => End::InDoubt,
        _ if is_out => End::OutOfFuel,
        Some(Trap::StackOverflow) => End::Overflow,
        Some(other) => End::Trap(trap(&other.to_string())),
        None => End::Stopped,
    }
}

async fn calls(
    store: &mut Store<NativeGuest>,
    linker: &Linker<NativeGuest>,
    module: &Module,
    case: &Scenario,
    place: &mut Option<wasmtime::Instance>,
) -> wasmtime::Result<()> {
    put(store, START_FUEL);
    let instance = linker.instantiate_async(&mut *store, module).await?;
    *place = Some(instance);
    if let Some(begin) = instance.get_func(&mut *store, "_initialize") {
        begin.call_async(&mut *store, &[], &mut []).await?;
    }
    if let Some(begin) = instance.get_func(&mut *store, "_start") {
        put(store, case.fuel);
        store.data_mut().host.started = true;
        begin.call_async(&mut *store, &[], &mut []).await?;
        let left = left(store);
        store.data_mut().host.note("end".to_owned(), left);
        return Ok(());
    }
    let buffer = instance.get_typed_func::<(), i32>(&mut *store, "judge_buffer")?;
    let line = instance.get_typed_func::<i32, i32>(&mut *store, "judge_line")?;
    let address = buffer.call_async(&mut *store, ()).await?;
    put(store, case.fuel);
    store.data_mut().host.started = true;
    for text in &case.lines {
        let memory = instance.get_memory(&mut *store, "memory").ok_or(HostStop)?;
        memory
            .write(&mut *store, address as u32 as usize, text.as_bytes())
            .map_err(|_| HostStop)?;
        let answer = line.call_async(&mut *store, text.len() as i32).await?;
        let left = left(store);
        let (bytes, guest) = memory.data_and_store_mut(&mut *store);
        guest.host.answered(bytes, address, answer, left);
    }
    Ok(())
}
