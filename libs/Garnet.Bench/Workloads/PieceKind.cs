// What a piece of a template stands for.
namespace Garnet.Bench.Workloads;

/// <summary>The kinds of pieces.</summary>
internal enum PieceKind
{
    /// <summary>Bytes as they are.</summary>
    Literal,

    /// <summary>__rand_int__: a number of its own, twelve digits.</summary>
    Number,

    /// <summary>__rand_1st__ to __rand_9th__: the same number everywhere in the command, twelve digits.</summary>
    SharedNumber,

    /// <summary>__key__: prefix and number of the next key.</summary>
    Key,

    /// <summary>__data__: a value.</summary>
    Data,
}
