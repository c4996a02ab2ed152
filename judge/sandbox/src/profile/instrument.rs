//! Rewrites a module: each function calls the host when it is entered and left.
//!
//! ```text
//! (func (result i32)            (func (result i32)
//!   BODY                          (call $enter (i32.const INDEX))
//! )                               (block (result i32)
//!                                   BODY)                    ;; `return` becomes `call $leave, return`
//!                                 (call $leave))
//! ```
//!
//! A branch out of the function becomes one to the end of the block, which has the same depth of
//! label. Blocks cost no fuel. The two imports come after those of the module, so the indexes of
//! its functions move by two.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error as EncodeError, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, EntityType, Function, ImportSection, Instruction, Module, SectionId,
    TypeSection, ValType,
};
use wasmparser::{
    CustomSectionReader, FunctionBody, FunctionSectionReader, ImportSectionReader, Operator,
    Parser, TypeRef, TypeSectionReader,
};

/// Module of both imports.
pub(super) const MODULE: &str = "judge_profile";
/// `(i32) -> ()`: the function with that index begins.
pub(super) const ENTER: &str = "enter";
/// `() -> ()`: the current function ends.
pub(super) const LEAVE: &str = "leave";

/// Number of added imports.
const ADDED: u32 = 2;

type Encoded<T = ()> = Result<T, EncodeError<Infallible>>;

/// Returns the rewritten module. The original must have passed intake.
///
/// # Errors
/// When rewriting fails: the judge's fault.
pub(crate) fn instrument(module: &[u8]) -> Result<Vec<u8>, String> {
    let mut rewriting = Rewriting::default();
    let mut written = Module::new();
    let done = rewriting.parse_core_module(&mut written, Parser::new(0), module);
    done.map_err(|error| format!("cannot instrument the module: {error}"))?;
    Ok(written.finish())
}

/// State of the rewriting; sections come in a fixed order.
#[derive(Default)]
struct Rewriting {
    /// Results of each type of function.
    results: Vec<Vec<ValType>>,
    /// The type of blocks with several results, by the type of the function.
    blocks: Vec<Option<u32>>,
    /// Number of imported functions; none before the import section.
    imported: Option<u32>,
    /// Type of each function with a body.
    types: Vec<u32>,
    /// Number of bodies so far.
    bodies: u32,
}

impl Rewriting {
    fn imported(&self) -> u32 {
        self.imported.unwrap_or_default()
    }

    /// Index of the first added type.
    fn first_new_type(&self) -> u32 {
        self.results.len() as u32
    }

    fn add_imports(&mut self, imports: &mut ImportSection, count: u32) {
        let first = self.first_new_type();
        imports.import(MODULE, ENTER, EntityType::Function(first));
        imports.import(MODULE, LEAVE, EntityType::Function(first + 1));
        self.imported = Some(count);
    }

    /// The block type with the results of function type `of`.
    fn block_of(&self, of: u32) -> BlockType {
        let results = self.results.get(of as usize).map(Vec::as_slice).unwrap_or_default();
        match (results, self.blocks.get(of as usize).copied().flatten()) {
            ([one], _) => BlockType::Result(*one),
            (_, Some(several)) => BlockType::FunctionType(several),
            _ => BlockType::Empty,
        }
    }
}

impl Reencode for Rewriting {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Encoded<u32> {
        Ok(if function >= self.imported() { function + ADDED } else { function })
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Encoded {
        for function in section.clone().into_iter_err_on_gc_types() {
            let results = function?.results().to_vec();
            let results = self.val_types(results)?;
            self.results.push(results);
        }
        utils::parse_type_section(self, types, section)?;
        types.ty().function([ValType::I32], []);
        types.ty().function([], []);
        for results in &self.results {
            let several = results.len() > 1;
            self.blocks.push(several.then(|| types.len()));
            if several {
                types.ty().function([], results.iter().copied());
            }
        }
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Encoded {
        let mut count = 0;
        for import in section.clone().into_imports() {
            count += u32::from(matches!(import?.ty, TypeRef::Func(_)));
        }
        utils::parse_import_section(self, imports, section)?;
        self.add_imports(imports, count);
        Ok(())
    }

    /// Adds an import section to a module that has none.
    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        after: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Encoded {
        if after == Some(SectionId::Type) && before != Some(SectionId::Import) {
            let mut imports = ImportSection::new();
            self.add_imports(&mut imports, 0);
            module.section(&imports);
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut wasm_encoder::FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Encoded {
        self.types = section.clone().into_iter().collect::<Result<_, _>>()?;
        utils::parse_function_section(self, functions, section)
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Encoded {
        let (enter, leave) = (self.imported(), self.imported() + 1);
        let index = self.imported() + self.bodies;
        let of = self.types.get(self.bodies as usize).copied().unwrap_or_default();
        self.bodies += 1;
        let mut function: Function = self.new_function_with_parsed_locals(&body)?;
        function.instruction(&Instruction::I32Const(index as i32));
        function.instruction(&Instruction::Call(enter));
        function.instruction(&Instruction::Block(self.block_of(of)));
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            let operator = reader.read()?;
            if matches!(operator, Operator::Return) {
                function.instruction(&Instruction::Call(leave));
            }
            function.instruction(&self.instruction(operator)?);
        }
        // The function's own end has closed the block.
        function.instruction(&Instruction::Call(leave));
        function.instruction(&Instruction::End);
        code.function(&function);
        Ok(())
    }

    /// Drops custom sections: names and debug information would not fit the rewritten module.
    fn parse_custom_section(
        &mut self,
        _module: &mut Module,
        _section: CustomSectionReader<'_>,
    ) -> Encoded {
        Ok(())
    }
}
