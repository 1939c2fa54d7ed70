// Reads a module from a file. One thread.
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Garnet.Persistence.Files;

namespace Garnet.Server.Modules;

/// <summary>Checks everything that can be checked before the module's code runs, and says what is wrong.</summary>
internal sealed class ModuleFile
{
    private const long MaxBytes = 256 << 20;
    private const int MaxAssemblies = 1000;

    private ModuleFile(ModuleDefinition definition, ModuleAssemblies assemblies)
    {
        Definition = definition;
        Assemblies = assemblies;
    }

    /// <summary>The module.</summary>
    public ModuleDefinition Definition { get; }

    /// <summary>Its assemblies.</summary>
    public ModuleAssemblies Assemblies { get; }

    /// <summary>Loads the assembly of a module.</summary>
    /// <param name="path">An absolute path.</param>
    /// <param name="format">The library of modules.</param>
    /// <exception cref="ModuleLoadException">It cannot be loaded here, or is no module.</exception>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Refused where the server was trimmed.")]
    public static ModuleFile Load(string path, IModuleFormat format)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
            throw new ModuleLoadException("the native build cannot load modules: run the managed one, or compile them in");
        byte[] bytes = ReadFile(path);
        AssemblyFacts facts = AssemblyFacts.Read(bytes) ?? throw new ModuleLoadException($"{path} is not a .NET assembly");
        Check(path, facts, format);
        var assemblies = new ModuleAssemblies(Path.GetDirectoryName(path)!, format.ApiAssembly);
        try
        {
            CheckReferences(path, facts, assemblies);
            string symbols = Path.ChangeExtension(path, ".pdb");
            Assembly assembly = assemblies.Load(bytes, File.Exists(symbols) ? ReadFile(symbols) : null);
            return new ModuleFile(OnlyModuleOf(path, assembly, format), assemblies);
        }
        catch (Exception e)
        {
            assemblies.Unload();
            if (e is ModuleLoadException)
                throw;
            throw new ModuleLoadException($"{path} cannot be loaded: {e.Message}", e);
        }
    }

    private static ModuleDefinition OnlyModuleOf(string path, Assembly assembly, IModuleFormat format) =>
        format.Find(assembly) switch
        {
            [var only] => only,
            [] => throw new ModuleLoadException($"{path} contains no module: a class with [Module], compiled with the modules' generator"),
            _ => throw new ModuleLoadException($"{path} contains several modules"),
        };

    private static void Check(string path, AssemblyFacts facts, IModuleFormat format)
    {
        CheckFramework(path, facts.TargetFramework);
        if (facts.ApiVersion is null && facts.References.All(reference => reference.Name != format.ApiAssembly))
            throw new ModuleLoadException($"{path} contains no module: it does not refer to {format.ApiAssembly}");
        if (facts.ApiVersion is { } version && version != format.ApiVersion.ToString(System.Globalization.CultureInfo.InvariantCulture))
        {
            throw new ModuleLoadException(
                $"{path} was compiled for version {version} of the module API, and this server has version {format.ApiVersion}: compile it against the server's {format.ApiAssembly}"
            );
        }
    }

    // Libraries for .NET Standard run on any version.
    private static void CheckFramework(string path, string framework)
    {
        string[] parts = framework.Split(",Version=v");
        bool isUsable =
            parts.Length == 2
            && System.Version.TryParse(parts[1], out Version? version)
            && (
                parts[0] == ".NETStandard"
                || (
                    parts[0] == ".NETCoreApp"
                    && (version.Major, version.Minor).CompareTo((Environment.Version.Major, Environment.Version.Minor)) <= 0
                )
            );
        if (!isUsable)
        {
            throw new ModuleLoadException(
                $"{path} was compiled for {(framework.Length == 0 ? "an unknown framework" : framework)}, and this server runs on .NET {Environment.Version.ToString(2)}"
            );
        }
    }

    // Otherwise a missing assembly would be noticed when a command first needs it.
    private static void CheckReferences(string path, AssemblyFacts facts, ModuleAssemblies assemblies)
    {
        Queue<AssemblyFacts> users = new([facts]);
        HashSet<string> seen = [facts.Name];
        while (users.TryDequeue(out AssemblyFacts? user))
        {
            foreach ((string name, Version version) in user.References)
            {
                if (!seen.Add(name))
                    continue;
                if (seen.Count > MaxAssemblies)
                    throw new ModuleLoadException($"{path} needs more than {MaxAssemblies} assemblies");
                if (assemblies.FileOf(name) is not { } file)
                    CheckShared(path, user.Name, name, version);
                else if (AssemblyFacts.Read(ReadFile(file)) is { } beside)
                    users.Enqueue(beside);
                else
                    throw new ModuleLoadException($"{path}: {file} is not a .NET assembly");
            }
        }
    }

    private static void CheckShared(string path, string user, string name, Version version)
    {
        try
        {
            AssemblyLoadContext.Default.LoadFromAssemblyName(new AssemblyName(name) { Version = version });
        }
        catch (Exception e) when (e is IOException or BadImageFormatException)
        {
            throw new ModuleLoadException(
                $"{path} cannot be loaded: {user} needs the assembly {name}, version {version}, which is neither beside the module nor part of the server"
            );
        }
    }

    private static byte[] ReadFile(string path)
    {
        try
        {
            using FileStream file = RegularFile.OpenStream(path);
            if (file.Length > MaxBytes)
                throw new ModuleLoadException($"{path} is larger than {MaxBytes >> 20} MiB");
            byte[] bytes = new byte[file.Length];
            file.ReadExactly(bytes);
            return bytes;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            throw new ModuleLoadException($"{path} cannot be read: {e.Message}");
        }
    }
}
