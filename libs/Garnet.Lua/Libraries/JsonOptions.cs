// Options of the JSON library. Used by the thread that runs the state.
namespace Garnet.Lua.Libraries;

/// <summary>
/// What cjson's functions with names of options change. They hold until changed again, also for later scripts of the state.
/// </summary>
internal sealed class JsonOptions
{
    public bool ConvertSparse { get; set; }

    public int SparseRatio { get; set; } = 2;

    public int SparseSafe { get; set; } = 10;

    public int EncodeMaxDepth { get; set; } = 1000;

    public int DecodeMaxDepth { get; set; } = 1000;

    /// <summary>0: an error; 1: as they are; 2: null.</summary>
    public int EncodeInvalidNumbers { get; set; }

    public bool DecodeInvalidNumbers { get; set; } = true;

    public bool KeepBuffer { get; set; } = true;

    public int NumberPrecision { get; set; } = 14;
}
