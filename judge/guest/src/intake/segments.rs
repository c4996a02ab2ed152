//! Work before a module runs: initial values, table elements, data. The compiler writes code for
//! each that it cannot evaluate, and keeps a word for each element.

use wasmparser::{
    BinaryReaderError, ConstExpr, Data, DataKind, Element, ElementItems, ElementKind, Global,
    Operator, SectionLimited,
};

use super::limit::{Limit, LimitTally};
use super::refusal::IntakeRefusal;
use super::scan::malformed;
use super::work::Work;
use crate::image::Image;

/// Sums over the whole module.
#[derive(Default)]
pub(super) struct Segments {
    elements: u64,
    /// Operators beyond the first of each constant expression.
    computed: u64,
}

impl Segments {
    pub(super) fn globals(
        &mut self,
        section: SectionLimited<'_, Global<'_>>,
        tally: &mut LimitTally,
    ) -> Result<(), IntakeRefusal> {
        section.into_iter().try_for_each(|global| self.expression(&read(global)?.init_expr, tally))
    }

    pub(super) fn data(
        &mut self,
        section: SectionLimited<'_, Data<'_>>,
        image: Option<Image>,
        work: &mut Work,
        tally: &mut LimitTally,
    ) -> Result<(), IntakeRefusal> {
        tally.note(Limit::DataSegments, section.count().into())?;
        let mut active = 0;
        for data in section {
            if let DataKind::Active { offset_expr, .. } = read(data)?.kind {
                self.expression(&offset_expr, tally)?;
                active += 1;
            }
        }
        let copied = image.map_or(active, |image| image.pieces());
        (0..copied).try_for_each(|_| work.active_segment(tally))
    }

    pub(super) fn elements(
        &mut self,
        section: SectionLimited<'_, Element<'_>>,
        tally: &mut LimitTally,
    ) -> Result<(), IntakeRefusal> {
        tally.note(Limit::ElementSegments, section.count().into())?;
        for element in section {
            let element = read(element)?;
            if let ElementKind::Active { offset_expr, .. } = &element.kind {
                self.expression(offset_expr, tally)?;
            }
            let count = match &element.items {
                ElementItems::Functions(items) => items.count(),
                ElementItems::Expressions(_, items) => items.count(),
            };
            self.elements += u64::from(count);
            tally.note(Limit::Elements, self.elements)?;
            if let ElementItems::Expressions(_, items) = element.items {
                items.into_iter().try_for_each(|item| self.expression(&read(item)?, tally))?;
            }
        }
        Ok(())
    }

    fn expression(
        &mut self,
        expression: &ConstExpr<'_>,
        tally: &mut LimitTally,
    ) -> Result<(), IntakeRefusal> {
        let mut operators = 0_u64;
        for operator in expression.get_operators_reader() {
            operators += match read(operator)? {
                Operator::End => 0,
                // The value is unknown until instantiation.
                Operator::GlobalGet { .. } => 2,
                _ => 1,
            };
        }
        self.computed += operators.saturating_sub(1);
        tally.note(Limit::Computed, self.computed)
    }
}

fn read<T>(item: Result<T, BinaryReaderError>) -> Result<T, IntakeRefusal> {
    item.map_err(|error| malformed(&error))
}
