// `garnet --lua file.lua ...`: checks scripts and libraries of functions without a server. One thread, then the process ends.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Server.Composition;
using Garnet.Server.Scripting;

namespace Garnet.Tool;

/// <summary>Prints each problem with the file, the line and its text.</summary>
internal sealed class LuaCommand(TextWriter output)
{
    private readonly CommandTable _commands = new(CommandFamilies.All);

    /// <summary>Checks the files. Exit code 0 when no problem was found, else 1.</summary>
    /// <exception cref="OptionException">A file is missing or cannot be read.</exception>
    public int Run(string[] files)
    {
        if (files.Length == 0)
            throw new OptionException("--lua needs one or more files with scripts or libraries of functions");
        int problems = 0;
        foreach (string file in files)
            problems += Check(file, Read(file));
        return problems == 0 ? 0 : 1;
    }

    private int Check(string file, byte[] source)
    {
        List<(int Line, string Problem)> problems = ScriptCheck.Run(source, _commands);
        string[] lines = Encoding.UTF8.GetString(source).Split('\n');
        foreach ((int line, string problem) in problems)
            output.WriteLine($"{file}:{line}: {problem}: {lines[Math.Clamp(line, 1, lines.Length) - 1].Trim()}");
        if (problems.Count == 0)
            output.WriteLine($"{file}: good");
        return problems.Count;
    }

    private static byte[] Read(string file)
    {
        try
        {
            return File.ReadAllBytes(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OptionException($"--lua {file}: cannot be read: {e.Message}");
        }
    }
}
