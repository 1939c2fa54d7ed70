// The instructions of the virtual machine. Immutable; any thread.
namespace Garnet.Lua.Execution;

/// <summary>
/// What an instruction does with its operands A, B and C. R is a register, K a constant, U a captured variable. Jumps have their target
/// in C.
/// </summary>
internal enum Opcode : byte
{
    /// <summary>R[A] = R[B]</summary>
    Move,

    /// <summary>R[A] = K[C]</summary>
    LoadConstant,

    /// <summary>R[A] to R[A + B] = nil</summary>
    LoadNil,

    /// <summary>R[A] = B != 0</summary>
    LoadBoolean,

    /// <summary>R[A] = U[B]</summary>
    GetUpvalue,

    /// <summary>U[B] = R[A]</summary>
    SetUpvalue,

    /// <summary>R[A] becomes a box with the value of R[A]</summary>
    NewBox,

    /// <summary>R[A] = the value of the box in R[B]</summary>
    GetBox,

    /// <summary>the value of the box in R[A] = R[B]</summary>
    SetBox,

    /// <summary>R[A] = the global variable K[C]</summary>
    GetGlobal,

    /// <summary>the global variable K[C] = R[A]</summary>
    SetGlobal,

    /// <summary>R[A] = R[B][K[C]], a string</summary>
    GetField,

    /// <summary>R[A] = R[B][R[C]]</summary>
    GetIndex,

    /// <summary>R[A] = R[B][C], an integer</summary>
    GetElement,

    /// <summary>R[A][K[C]] = R[B], a string</summary>
    SetField,

    /// <summary>R[A][R[B]] = R[C]</summary>
    SetIndex,

    /// <summary>R[A][C] = R[B], an integer</summary>
    SetElement,

    /// <summary>R[A] = a table with room for B elements and C other keys</summary>
    NewTable,

    /// <summary>R[A][C + i] = R[A + i] for i from 1 to B; B = 0: up to the top</summary>
    SetList,

    /// <summary>R[A + 1] = R[B]; R[A] = R[B][K[C]]</summary>
    Self,

    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,

    /// <summary>R[A] = R[B] + K[C], and so on: the order of these six is that of the six before</summary>
    AddConstant,
    SubtractConstant,
    MultiplyConstant,
    DivideConstant,
    ModuloConstant,
    PowerConstant,

    /// <summary>R[A] = -R[B]</summary>
    Negate,
    Not,
    Length,

    /// <summary>R[A] = R[B] .. to .. R[B + C - 1]</summary>
    Concatenate,

    Jump,

    /// <summary>A jump to an earlier instruction, which counts what the loop executed</summary>
    JumpBack,
    JumpIfTrue,
    JumpIfFalse,

    /// <summary>Jump if R[A] == R[B]; the next: if not</summary>
    JumpEqual,
    JumpNotEqual,

    /// <summary>Jump if R[A] == K[B], a string or a number; the next: if not</summary>
    JumpEqualConstant,
    JumpNotEqualConstant,

    /// <summary>Jump if R[A] &lt; R[B]; the next: unless; then &lt;=</summary>
    JumpLess,
    JumpNotLess,
    JumpLessEqual,
    JumpNotLessEqual,

    /// <summary>Jump if R[A] &lt; K[B], a number; the others as above, then with the operands exchanged</summary>
    JumpLessConstant,
    JumpNotLessConstant,
    JumpLessEqualConstant,
    JumpNotLessEqualConstant,
    JumpGreaterConstant,
    JumpNotGreaterConstant,
    JumpGreaterEqualConstant,
    JumpNotGreaterEqualConstant,

    /// <summary>
    /// Call R[A] with B - 1 arguments after it (B = 0: up to the top), C - 1 results from R[A] (C = 0: all, up to the top)
    /// </summary>
    Call,
    TailCall,

    /// <summary>Return B - 1 values from R[A] (B = 0: up to the top)</summary>
    Return,
    ReturnNothing,
    ReturnOne,

    /// <summary>Prepares the numeric loop whose limit and step follow R[A], and jumps to its end</summary>
    ForPrepare,

    /// <summary>R[A] += R[A + 2]; if it is within R[A + 1]: R[A + 3] = R[A], jump</summary>
    ForLoop,

    /// <summary>R[A + 3] to R[A + 2 + C] = R[A](R[A + 1], R[A + 2])</summary>
    ForCall,

    /// <summary>If R[A + 3] is not nil: R[A + 2] = R[A + 3], jump</summary>
    ForNext,

    /// <summary>R[A] = a function of the prototype C</summary>
    Closure,

    /// <summary>R[A] to R[A + B - 2] = the extra arguments (B = 0: all, up to the top)</summary>
    Vararg,

    /// <summary>R[A] = a table of the extra arguments with their number in n</summary>
    ArgumentTable,
}
