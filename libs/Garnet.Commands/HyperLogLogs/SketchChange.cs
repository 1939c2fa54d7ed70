// The result of raising a register. Immutable.
namespace Garnet.Commands.HyperLogLogs;

/// <summary>The result of raising a register of a sketch.</summary>
internal enum SketchChange
{
    /// <summary>The register already has at least this value.</summary>
    None,

    /// <summary>The register was raised.</summary>
    Raised,

    /// <summary>The sparse encoding cannot hold the value or would exceed its limit.</summary>
    NeedsDense,

    /// <summary>The runs do not cover the register.</summary>
    Corrupt,
}
