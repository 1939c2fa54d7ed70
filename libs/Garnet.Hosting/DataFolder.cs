// Looks at the folder of the data before a server starts. One thread.
using Garnet.Server.Configuration;

namespace Garnet.Hosting;

/// <summary>A server that is to save must be able to: better known at the start than at the first save.</summary>
internal static class DataFolder
{
    private const string ProbeName = ".garnet-writable";

    /// <summary>Makes a file in the folder and removes it, if anything is to be saved there.</summary>
    /// <exception cref="OptionException">It cannot be made.</exception>
    public static void CheckWritable(GarnetOptions options)
    {
        if (!options.AppendOnly && options.Save.Count == 0)
            return;
        string probe = Path.Combine(options.Dir, ProbeName);
        try
        {
            // Another server may be looking at the same moment.
            using var file = new FileStream(probe, FileMode.Create, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0, FileOptions.DeleteOnClose);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OptionException(
                $"dir {options.Dir}: nothing can be written there ({e.Message}). Let the server's user write there, name another dir, or turn save and appendonly off");
        }
    }
}
