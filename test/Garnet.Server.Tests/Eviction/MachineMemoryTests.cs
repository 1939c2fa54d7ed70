// Container limits as read from the system's files. Each test writes its own files.
using Garnet.Server.Basics;
using Xunit;

namespace Garnet.Server.Tests.Eviction;

public sealed class MachineMemoryTests : IDisposable
{
    private const long Machine = 8L << 30;
    private readonly string _root = Directory.CreateTempSubdirectory("garnet-machine-memory").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public void Without_control_groups_the_limit_is_the_machines_memory()
    {
        WriteMachine();
        Assert.Equal(Machine, MachineMemory.Read(_root));
    }

    [Fact]
    public void Version_two_has_a_limit_at_the_root_inside_a_container()
    {
        WriteMachine();
        Write("proc/self/cgroup", "0::/\n");
        Write("sys/fs/cgroup/memory.max", "536870912\n");
        Assert.Equal(512L << 20, MachineMemory.Read(_root));
    }

    [Fact]
    public void The_lowest_limit_of_a_group_and_its_ancestors_applies()
    {
        WriteMachine();
        Write("proc/self/cgroup", "0::/system.slice/garnet.service\n");
        Write("sys/fs/cgroup/system.slice/garnet.service/memory.max", "max\n");
        Write("sys/fs/cgroup/system.slice/memory.max", "1073741824\n");
        Assert.Equal(1L << 30, MachineMemory.Read(_root));
    }

    [Fact]
    public void Version_one_has_a_hierarchy_for_memory()
    {
        WriteMachine();
        Write("proc/self/cgroup", "12:cpu,cpuacct:/x\n5:memory:/docker/1234\n");
        Write("sys/fs/cgroup/memory/docker/1234/memory.limit_in_bytes", "268435456\n");
        Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        Assert.Equal(256L << 20, MachineMemory.Read(_root));
    }

    [Fact]
    public void Without_any_information_there_is_no_limit() => Assert.Equal(0, MachineMemory.Read(_root));

    private void WriteMachine() => Write("proc/meminfo", $"MemTotal:       {Machine / 1024} kB\nMemFree: 5 kB\n");

    private void Write(string path, string text)
    {
        string full = Path.Combine(_root, path);
        Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        File.WriteAllText(full, text);
    }
}
