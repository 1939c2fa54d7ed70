// The libraries of functions that the options name, when the server starts. Used by the thread that starts the server.
using System.Text;
using Garnet.Engine.Requests;
using Garnet.Persistence.Files;
using Garnet.Server.Effects;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Scripting;

/// <summary>
/// Read and compiled before anything else is started, so that a mistake is reported at once; loaded after the data, before clients are
/// served. A library that cannot be loaded makes the start fail: without it calls of its functions would fail one by one.
/// </summary>
internal sealed class StartFunctions
{
    private const string Option = "function-load";
    private const string CodeName = "user_function:";

    private readonly List<StartLibrary> _libraries = [];

    private StartFunctions() { }

    private readonly record struct StartLibrary(string Place, string Name, byte[] Source);

    /// <summary>Reads the files and texts, and checks their first lines and their syntax.</summary>
    /// <exception cref="OptionException">One cannot be read or compiled.</exception>
    public static StartFunctions Read(GarnetOptions options)
    {
        StartFunctions functions = new();
        foreach (string path in options.FunctionFiles)
            functions.Add($"{Option} {path}", path, ReadFile(path, options.ProtoMaxBulkLengthBytes));
        for (int i = 0; i < options.FunctionLibraries.Count; i++)
        {
            string place = $"{nameof(GarnetOptions.FunctionLibraries)}[{i}]";
            functions.Add(place, place, Encoding.UTF8.GetBytes(options.FunctionLibraries[i]));
        }

        return functions;
    }

    /// <summary>Loads them, each in place of one with the same name; those that the data contains already stay as they are.</summary>
    /// <exception cref="OptionException">One cannot be loaded; the server must not serve.</exception>
    public void Load(ServerScripts scripts, EffectFeed effects, HybridLogStore store, ILogger log)
    {
        if (_libraries.Count == 0)
            return;
        if (effects.IsFollowing)
        {
            log.LogInformation("The libraries of {Option} are not loaded: a replica has those of its primary", Option);
            return;
        }

        using StoreSession session = store.OpenSession();
        session.RunExclusive(() =>
        {
            List<StartLibrary> changed = [.. _libraries.Where(library => !IsLoaded(scripts, library))];
            foreach (StartLibrary library in changed)
            {
                if (scripts.Functions.Load(library.Source, replaces: true, isTrusted: true, out _) is { } problem)
                    throw Failure(library.Place, library.Place, problem);
            }

            // Replicas that continue where they were do not read files of this server.
            foreach (StartLibrary library in changed)
                Propagate(session, library);
        });
        log.LogInformation("Libraries of functions: {Names}", string.Join(", ", _libraries.Select(static library => library.Name)));
    }

    private static bool IsLoaded(ServerScripts scripts, in StartLibrary library) =>
        scripts.Functions.Catalog.FindLibrary(library.Name) is { } loaded && loaded.Source.AsSpan().SequenceEqual(library.Source);

    private static void Propagate(StoreSession session, in StartLibrary library)
    {
        session.Changes.Count++;
        session.Slot.Changes++;
        if (session.Store.Changes.Sink is not { } sink)
            return;
        EffectBuffer effect = new();
        effect.Begin(4).Add("FUNCTION"u8).Add("LOAD"u8).Add("REPLACE"u8).Add(library.Source);
        sink.Append(database: 0, effect.Written);
    }

    private void Add(string place, string codeName, byte[] source)
    {
        string? problem = LibraryHeader.Read(source, out LibraryHeader header) ?? LibraryCode.Compile(header, meter: null, out _);
        if (problem is null)
        {
            if (_libraries.FindIndex(library => library.Name == header.Name) is >= 0 and var earlier)
                problem = $"the library {header.Name} is also in {_libraries[earlier].Place}";
            else
                _libraries.Add(new StartLibrary(place, header.Name, source));
        }

        if (problem is not null)
            throw Failure(place, codeName, problem);
    }

    // Errors name the code as Valkey does; here the file is known.
    private static OptionException Failure(string place, string codeName, string problem) =>
        new($"{place}: {problem.Replace(CodeName, codeName + ":", StringComparison.Ordinal).ReplaceLineEndings(" ")}");

    private static byte[] ReadFile(string path, long maxBytes)
    {
        try
        {
            using FileStream file = RegularFile.OpenStream(path);
            if (file.Length > maxBytes)
                throw new OptionException($"{Option} {path}: longer than proto-max-bulk-len, {maxBytes} bytes");
            byte[] bytes = new byte[file.Length];
            file.ReadExactly(bytes);
            return bytes;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OptionException($"{Option} {path}: cannot be read: {e.Message}");
        }
    }
}
