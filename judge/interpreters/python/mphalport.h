/* The functions that the core expects of a board. */
#define mp_hal_pin_obj_t int

static inline void mp_hal_set_interrupt_char(char letter) {
    (void)letter;
}

static inline unsigned long mp_hal_ticks_ms(void) {
    return 0;
}
