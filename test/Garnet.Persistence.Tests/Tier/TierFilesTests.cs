// The files of values on disk.
using System.Runtime.InteropServices;
using Garnet.Persistence.Tier;
using Garnet.Testing;
using Xunit;

namespace Garnet.Persistence.Tests.Tier;

public sealed unsafe class TierFilesTests : IDisposable
{
    private const int Bytes = 64 << 10;
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-tier-files-").FullName;
    private readonly byte* _memory = (byte*)NativeMemory.AlignedAlloc(2 * Bytes, 4096);

    private string Folder => Path.Combine(_folder, "tier");

    public void Dispose()
    {
        NativeMemory.AlignedFree(_memory);
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5L << 30)]
    // Half in one file, half in the next.
    [InlineData(TierFiles.FileBytes - (Bytes / 2))]
    public void What_was_written_is_read(long position)
    {
        using var files = TierFiles.Open(Folder, "test");
        new Random(1).NextBytes(new Span<byte>(_memory, Bytes));
        Assert.Equal(0, Run(done => files.Write(position, (nint)_memory, Bytes, done)));
        Assert.Equal(0, Run(done => files.Read(position, (nint)(_memory + Bytes), Bytes, done)));
        Assert.True(new Span<byte>(_memory, Bytes).SequenceEqual(new Span<byte>(_memory + Bytes, Bytes)));
        if (OperatingSystem.IsWindows())
            return;
        const UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        foreach (string file in Directory.GetFiles(Folder, "*.values"))
            Assert.Equal(OwnerAlone, File.GetUnixFileMode(file));
    }

    [Fact]
    public void What_was_not_written_cannot_be_read()
    {
        using var files = TierFiles.Open(Folder, "test");
        Assert.NotEqual(0, Run(done => files.Read(1 << 20, (nint)_memory, Bytes, done)));
    }

    [Fact]
    public void Files_are_deleted_at_the_end_and_at_the_start()
    {
        Directory.CreateDirectory(Folder);
        string left = Path.Combine(Folder, "tier-000007.values");
        string foreign = Path.Combine(Folder, "foreign");
        File.WriteAllText(left, "old");
        File.WriteAllText(foreign, "kept");
        using (var files = TierFiles.Open(Folder, "test"))
        {
            Assert.False(File.Exists(left));
            Assert.Equal(0, Run(done => files.Write(0, (nint)_memory, Bytes, done)));
        }

        Assert.Equal([foreign], Directory.GetFiles(Folder));
    }

    [Fact]
    public void A_folder_is_held_by_one()
    {
        using var files = TierFiles.Open(Folder, "the first");
        Assert.Contains(
            "the first",
            Assert.Throws<IOException>(() => TierFiles.Open(Folder, "the second")).Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_file_in_the_folders_place_is_an_error()
    {
        File.WriteAllText(Folder, "");
        Assert.ThrowsAny<IOException>(() => TierFiles.Open(Folder, "test"));
    }

    [LinuxFact]
    public void A_link_in_the_place_of_values_is_removed_and_not_followed()
    {
        Directory.CreateDirectory(Folder);
        string target = Path.Combine(_folder, "target");
        File.WriteAllText(target, "kept");
        File.CreateSymbolicLink(Path.Combine(Folder, "tier-000000.values"), target);
        using var files = TierFiles.Open(Folder, "test");
        File.CreateSymbolicLink(Path.Combine(Folder, "tier-000001.values"), target);
        Assert.Equal(0, Run(done => files.Write(0, (nint)_memory, Bytes, done)));
        Assert.Equal(0, Run(done => files.Write(TierFiles.FileBytes, (nint)_memory, Bytes, done)));
        Assert.Equal("kept", File.ReadAllText(target));
    }

    [Fact]
    public void A_folder_in_the_place_of_values_is_an_error_of_the_write()
    {
        using var files = TierFiles.Open(Folder, "test");
        Directory.CreateDirectory(Path.Combine(Folder, "tier-000000.values"));
        Assert.NotEqual(0, Run(done => files.Write(0, (nint)_memory, Bytes, done)));
        Assert.Equal(0, Run(done => files.Write(TierFiles.FileBytes, (nint)_memory, Bytes, done)));
    }

    [LinuxFact]
    public void A_link_that_leads_nowhere_in_the_folders_place_is_an_error()
    {
        File.CreateSymbolicLink(Folder, Path.Combine(_folder, "nothing"));
        Assert.ThrowsAny<IOException>(() => TierFiles.Open(Folder, "test"));
    }

    private static int Run(Action<Action<int>> request)
    {
        var answer = new TaskCompletionSource<int>();
        request(answer.SetResult);
        return answer.Task.WaitAsync(TimeSpan.FromSeconds(60)).GetAwaiter().GetResult();
    }
}
