// Facts about a loaded file. Immutable once returned.
namespace Garnet.Persistence.Rdb;

/// <summary>Facts about a completely loaded file.</summary>
internal sealed class RdbLoadResult
{
    private readonly Dictionary<string, string> _aux = [];

    /// <summary>The format's version.</summary>
    public int Version { get; internal set; }

    /// <summary>True when the file begins with Valkey's magic.</summary>
    public bool IsValkey { get; internal set; }

    /// <summary>Keys now in the store.</summary>
    public long Keys { get; internal set; }

    /// <summary>Keys skipped because they had expired.</summary>
    public long ExpiredKeys { get; internal set; }

    /// <summary>Collections skipped because they had no elements.</summary>
    public long EmptyKeys { get; internal set; }

    /// <summary>Function libraries in the file.</summary>
    public IReadOnlyList<byte[]> Functions => FunctionList;

    /// <summary>Properties of the file by name; the last one counts if a name occurs again.</summary>
    public IReadOnlyDictionary<string, string> Aux => _aux;

    /// <summary>True when there was a checksum and it was correct.</summary>
    public bool IsChecked { get; internal set; }

    /// <summary>Bytes of the file including its checksum.</summary>
    public long Bytes { get; internal set; }

    internal List<byte[]> FunctionList { get; } = [];

    internal void SetAux(string name, string value) => _aux[name] = value;
}
