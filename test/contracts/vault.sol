// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// A token (ERC-20) and a vault of it (ERC-4626), for tests on a development chain. They are not audited and
// are no contracts for production.

contract TestToken {
    string public constant name = "Test";
    string public constant symbol = "TST";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error Insufficient();

    /// Anyone may create tokens of a test.
    function mint(address to, uint256 value) external {
        give(to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        spend(from, value);
        move(from, to, value);
        return true;
    }

    function spend(address from, uint256 value) internal {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert Insufficient();
        allowance[from][msg.sender] = allowed - value;
    }

    function give(address to, uint256 value) internal {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function take(address from, uint256 value) internal {
        if (balanceOf[from] < value) revert Insufficient();
        balanceOf[from] -= value;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
    }

    function move(address from, address to, uint256 value) internal {
        if (balanceOf[from] < value) revert Insufficient();
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Tokens sent to the vault without a deposit are the yield of all shares.
contract TestVault is TestToken {
    TestToken public immutable asset;

    constructor(TestToken token) {
        asset = token;
    }

    function totalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this));
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return totalSupply == 0 ? assets : (assets * totalSupply) / totalAssets();
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return totalSupply == 0 ? shares : (shares * totalAssets()) / totalSupply;
    }

    function previewDeposit(uint256 assets) external view returns (uint256) {
        return convertToShares(assets);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        asset.transferFrom(msg.sender, address(this), assets);
        give(receiver, shares);
    }

    function withdraw(uint256 assets, address receiver, address owner) external returns (uint256 shares) {
        shares = (assets * totalSupply + totalAssets() - 1) / totalAssets();
        release(assets, shares, receiver, owner);
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        assets = convertToAssets(shares);
        release(assets, shares, receiver, owner);
    }

    function release(uint256 assets, uint256 shares, address receiver, address owner) private {
        if (owner != msg.sender) spend(owner, shares);
        take(owner, shares);
        asset.transfer(receiver, assets);
    }
}
