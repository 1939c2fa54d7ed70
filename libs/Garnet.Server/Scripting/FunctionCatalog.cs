// The libraries of one point in time. Changed only by the thread that prepares it, before others can see it.
using System.Text;

namespace Garnet.Server.Scripting;

/// <summary>
/// Libraries by name, and their functions by name in any case. A change is made to a copy, which then takes the place of the old catalog,
/// so that readers need no lock.
/// </summary>
internal sealed class FunctionCatalog
{
    /// <summary>The name of the only engine.</summary>
    public const string Engine = "LUA";

    private const int MaxStackName = 256;

    private readonly Dictionary<string, FunctionLibrary> _libraries;
    private readonly Dictionary<string, LibraryFunction> _functions;

    /// <summary>An empty catalog.</summary>
    /// <param name="runtime">What runs the functions.</param>
    public FunctionCatalog(FunctionRuntime runtime)
    {
        Runtime = runtime;
        _libraries = [];
        _functions = new Dictionary<string, LibraryFunction>(StringComparer.OrdinalIgnoreCase);
    }

    private FunctionCatalog(FunctionCatalog other)
    {
        Runtime = other.Runtime;
        _libraries = new Dictionary<string, FunctionLibrary>(other._libraries);
        _functions = new Dictionary<string, LibraryFunction>(other._functions, StringComparer.OrdinalIgnoreCase);
        (Bytes, CodeBytes) = (other.Bytes, other.CodeBytes);
    }

    public FunctionRuntime Runtime { get; }

    public IReadOnlyCollection<FunctionLibrary> Libraries => _libraries.Values;

    public int FunctionCount => _functions.Count;

    /// <summary>Memory of sources and entries.</summary>
    public long Bytes { get; private set; }

    /// <summary>Memory of compiled code.</summary>
    public long CodeBytes { get; private set; }

    /// <summary>Memory of compiled code and of what libraries keep. Any thread.</summary>
    public long StateBytes => CodeBytes + Runtime.UsedBytes;

    public FunctionCatalog Copy() => new(this);

    public FunctionLibrary? FindLibrary(string name) => _libraries.GetValueOrDefault(name);

    /// <summary>The function of a name, up to a zero byte and in any case, as in Valkey.</summary>
    public LibraryFunction? FindFunction(ReadOnlySpan<byte> name)
    {
        int zero = name.IndexOf((byte)0);
        if (zero >= 0)
            name = name[..zero];
        if (name.Length > MaxStackName)
            return _functions.GetValueOrDefault(Encoding.Latin1.GetString(name));
        Span<char> text = stackalloc char[name.Length];
        Encoding.Latin1.GetChars(name, text);
        return _functions.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(text, out LibraryFunction? function) ? function : null;
    }

    /// <summary>Adds a library under a name that is free.</summary>
    /// <returns>The error, or null: the name of a function is not free.</returns>
    public string? Add(FunctionLibrary library)
    {
        foreach (LibraryFunction function in library.Functions)
        {
            if (_functions.ContainsKey(function.Name))
                return $"Function {function.Name} already exists";
        }

        foreach (LibraryFunction function in library.Functions)
        {
            // Two names of one library that differ only in case are one name to FCALL.
            if (!_functions.TryAdd(function.Name, function))
            {
                Remove(library);
                return $"Function {function.Name} already exists";
            }
        }

        _libraries.Add(library.Name, library);
        Bytes += library.Bytes;
        CodeBytes += library.CodeBytes;
        return null;
    }

    /// <summary>Removes a library.</summary>
    public void Remove(FunctionLibrary library)
    {
        foreach (LibraryFunction function in library.Functions)
        {
            if (_functions.TryGetValue(function.Name, out LibraryFunction? own) && ReferenceEquals(own, function))
                _functions.Remove(function.Name);
        }

        if (!_libraries.Remove(library.Name))
            return;
        Bytes -= library.Bytes;
        CodeBytes -= library.CodeBytes;
    }
}
