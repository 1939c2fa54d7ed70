// What came of raising a register. Immutable.
namespace Garnet.Server.Commands.HyperLogLogs;

/// <summary>The outcome of raising a register of a sketch.</summary>
internal enum SketchChange
{
    /// <summary>The register is high enough already.</summary>
    None,

    /// <summary>The register was raised.</summary>
    Raised,

    /// <summary>The sparse form cannot hold the value or would grow beyond its limit.</summary>
    NeedsDense,

    /// <summary>The runs do not cover the register.</summary>
    Corrupt,
}
