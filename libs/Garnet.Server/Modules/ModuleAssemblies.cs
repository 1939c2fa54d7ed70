// The assemblies of one module that was loaded from a file. The runtime calls it on any thread.
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.Loader;

namespace Garnet.Server.Modules;

/// <summary>
/// The module's assembly and the assemblies beside it, apart from those of other modules, and collected when the module is unloaded. What
/// the module shares with the server comes from the server. Files are read at once, so that they may be replaced meanwhile.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A module finds what it needs of the server, which is not trimmed.")]
internal sealed class ModuleAssemblies : AssemblyLoadContext
{
    private static readonly string[] SharedNames =
    [
        "netstandard",
        "mscorlib",
        "Microsoft.Extensions.Logging.Abstractions",
        "Microsoft.Extensions.DependencyInjection.Abstractions",
    ];

    private readonly string _folder;
    private readonly string _ownPrefix;

    /// <summary>Makes a context without assemblies.</summary>
    /// <param name="folder">The folder of the module.</param>
    /// <param name="apiAssembly">One of the server's assemblies, whose names all begin with the product's.</param>
    public ModuleAssemblies(string folder, string apiAssembly)
        : base(folder, isCollectible: true)
    {
        _folder = folder;
        _ownPrefix = apiAssembly[..(apiAssembly.IndexOf('.', StringComparison.Ordinal) + 1)];
    }

    /// <summary>Loads an assembly from its bytes.</summary>
    public Assembly Load(byte[] assembly, byte[]? symbols) =>
        LoadFromStream(new MemoryStream(assembly), symbols is null ? null : new MemoryStream(symbols));

    /// <summary>Whether an assembly is the server's, so that the module's copy is not used.</summary>
    public bool IsShared(string name) =>
        name.StartsWith(_ownPrefix, StringComparison.Ordinal)
        || name.StartsWith("System.", StringComparison.Ordinal)
        || SharedNames.Contains(name);

    /// <summary>The file of an assembly beside the module; null when there is none, or the server's is used.</summary>
    public string? FileOf(string name)
    {
        if (IsShared(name) || name.AsSpan().IndexOfAny('/', '\\') >= 0)
            return null;
        string path = Path.Combine(_folder, name + ".dll");
        return File.Exists(path) ? path : null;
    }

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName) =>
        assemblyName.Name is { } name && FileOf(name) is { } path ? Load(File.ReadAllBytes(path), symbols: null) : null;

    /// <inheritdoc/>
    protected override nint LoadUnmanagedDll(string unmanagedDllName)
    {
        if (unmanagedDllName.AsSpan().IndexOfAny('/', '\\') >= 0)
            return 0;
        foreach (
            string name in (string[])[unmanagedDllName, unmanagedDllName + ".so", $"lib{unmanagedDllName}.so", unmanagedDllName + ".dll"]
        )
        {
            string path = Path.Combine(_folder, name);
            if (File.Exists(path))
                return LoadUnmanagedDllFromPath(path);
        }

        return 0;
    }
}
