// What a loaded file was. Immutable once returned.
namespace Garnet.Persistence.Rdb;

/// <summary>Facts of a file that was loaded whole.</summary>
public sealed class RdbLoadResult
{
    private readonly Dictionary<string, string> _aux = [];

    /// <summary>The format's version.</summary>
    public int Version { get; internal set; }

    /// <summary>True when the file opens with Valkey's word.</summary>
    public bool IsValkey { get; internal set; }

    /// <summary>Keys now in the store.</summary>
    public long Keys { get; internal set; }

    /// <summary>Keys left out because they had expired.</summary>
    public long ExpiredKeys { get; internal set; }

    /// <summary>Collections left out because they had no elements.</summary>
    public long EmptyKeys { get; internal set; }

    /// <summary>Function libraries that the file holds.</summary>
    public IReadOnlyList<byte[]> Functions => FunctionList;

    /// <summary>Properties of the file by name; of a name that occurs again the last.</summary>
    public IReadOnlyDictionary<string, string> Aux => _aux;

    /// <summary>True when the checksum was there and right.</summary>
    public bool IsChecked { get; internal set; }

    /// <summary>Bytes of the file up to and with its checksum.</summary>
    public long Bytes { get; internal set; }

    internal List<byte[]> FunctionList { get; } = [];

    internal void SetAux(string name, string value) => _aux[name] = value;
}
